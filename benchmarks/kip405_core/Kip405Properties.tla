-------------------------- MODULE Kip405Properties ---------------------------
\* Four of the properties that the design claims, as tierproof checks them.
EXTENDS Kip405Core

\* The elected leader knows that it leads.
IsLed ==
    /\ PresumesToLead(electedLeader)
    /\ broker[electedLeader].leaderEpoch = leaderEpoch

RouteAt(log, offset) ==
    CASE offset < log.logStartOffset \/ offset >= LogEndOffset -> "OUT_OF_RANGE"
      [] log.logStartOffset <= offset /\ offset < log.localLogStartOffset -> "REMOTE"
      [] OTHER -> "LOCAL"

ServingId(log, offset) ==
    LET epoch == EpochForOffset(log.lineage, offset)
    IN  IF epoch = NONE THEN NONE ELSE Lookup(log.cache, segment, epoch, offset)

IsReadable(log, offset) ==
    LET id == ServingId(log, offset)
    IN  CASE RouteAt(log, offset) = "REMOTE" -> id # NONE /\ segment[id].objectExists
          [] RouteAt(log, offset) = "LOCAL" -> \E start \in log.startsSegment : start <= offset
          [] OTHER -> FALSE

\* Offsets below may be gone, by time or by size; a record is one byte.
MayGo(offset) ==
    \/ Settings.retentionMs >= 0 /\ Timestamp(offset) < clock - Settings.retentionMs
    \/ Settings.retentionBytes >= 0 /\ LogEndOffset - (offset + 1) >= Settings.retentionBytes

RemovableEnd ==
    LET kept == {o \in 0..LogEndOffset - 1 : ~MayGo(o)}
    IN  IF kept = {} THEN LogEndOffset ELSE Least(kept)

\* Every committed offset from the log start on is readable at the leader.
CommittedRecordsStayReadable ==
    LET leader == broker[electedLeader]
    IN  IsLed => \A o \in leader.logStartOffset..LogEndOffset - 1 : IsReadable(leader, o)

\* Every committed offset that nothing allows to be removed is readable at the leader.
NoCommittedRecordLost ==
    IsLed => \A o \in RemovableEnd..LogEndOffset - 1 : IsReadable(broker[electedLeader], o)

\* A log start moves only past offsets that retention lets go of.
LogStartPassesOnlyWhatMayGo ==
    [][\A b \in Broker :
        LET start == broker'[b].logStartOffset
        IN  start > broker[b].logStartOffset => start <= RemovableEnd']_partition

\* No step moves a log start back.
LogStartNeverMovesBack ==
    [][\A b \in Broker : broker'[b].logStartOffset >= broker[b].logStartOffset]_partition
=============================================================================
