"""What KIP-405 as shipped permits that it should not, and published bugs that it finds again.

The written half of the register: the traces beside these texts in docs/findings/kip405 are
generated, `tierproof findings kip405`.
"""

from model.language import Finding, Regression

FINDINGS = (
    Finding(
        name="zombie_deletes_what_the_leader_copies",
        title="A zombie deletes a segment in the middle of the new leader's copy, which goes on",
        claims=(
            "committed_records_stay_readable",
            "remote_and_local_parts_are_contiguous",
            "new_leader_knows_the_log_start",
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which passes over only the "
            "segments that its own broker is copying; RLMCopyTask#copyLogSegment, which waits "
            "until its broker has read COPY_SEGMENT_FINISHED and does not ask what became of it"
        ),
        explanation=(
            "The new leader has published COPY_SEGMENT_STARTED. The old one, which has not heard "
            "of the election, finds the segment past its retention and publishes "
            "DELETE_SEGMENT_STARTED. Every cache then drops the leader's COPY_SEGMENT_FINISHED "
            "as an illegal transition, without a word to the copying thread. The leader takes "
            "the segment for copied: its cursor and its highest remote offset move past it, "
            "local retention removes the last copy that can be read, and the segment is never "
            "copied again. The log start still promises the offsets."
        ),
        repair="repair_look_whether_copy_was_accepted",
    ),
)

REGRESSIONS = (
    Regression(
        name="kafka_20732",
        title="KAFKA-20732: at a fresh leader size retention counts the local log twice",
        claims=("log_start_passes_only_what_may_go",),
        published="KAFKA-20732",
        explanation=(
            "The copy task and the expiration task begin at once, on threads of their own. While "
            "the highest remote offset is not known the whole local log counts as only local, "
            "and the remote segments count besides: a limit that holds seems to be exceeded."
        ),
        variant="kafka_20732_highest_offset_not_seeded",
        scope="size",
    ),
)
