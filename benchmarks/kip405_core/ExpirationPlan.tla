--------------------------- MODULE ExpirationPlan ----------------------------
\* Twin of model/kafka/expiration_task.py: which remote segments go, and where the log start
\* goes before them. `log` is a broker's record, `copying` the ids that its broker copies.
EXTENDS LocalLog, MetadataCache, Sequences

CONSTANT ClockMs

\* A record is as old as its offset says, while the clock can tell.
Timestamp(offset) == Smaller(offset, ClockMs)
MaxTimestamp(segment) == Timestamp(segment.endOffset)
Bytes(segment) == segment.endOffset + 1 - segment.startOffset

NextRealEpoch(lineage, epoch) == NextEpoch(Filtered(lineage), epoch)
LastEpochOf(segment) == LatestEpoch(segment.lineage)

IsBelowLogStart(segment, log) ==
    LET first == NextRealEpoch(log.lineage, NONE)
    IN  first # NONE /\ LastEpochOf(segment) <= first /\ segment.endOffset < log.logStartOffset

IsCounted(log, segment, id) ==
    /\ log.cache.state[id] = "COPY_SEGMENT_FINISHED"
    /\ IsInLineage(segment[id], log.lineage, LogEndOffset)
    /\ \E e \in Entries(Filtered(log.lineage)) : id \in Listed(log.cache, e)

RECURSIVE BytesOfAll(_, _)
BytesOfAll(segment, ids) ==
    IF ids = {}
    THEN 0
    ELSE LET id == Least(ids) IN Bytes(segment[id]) + BytesOfAll(segment, ids \ {id})

SurplusBytes(log, segment) ==
    LET counted == {id \in SegmentId : IsCounted(log, segment, id)}
        total == OnlyLocalBytes(log) + BytesOfAll(segment, counted)
    IN  IF Settings.retentionBytes < 0 THEN 0 ELSE Larger(total - Settings.retentionBytes, 0)

IsPastTime(segment, now) ==
    LET longest == Settings.retentionMs
    IN  longest >= 0 /\ now >= longest /\ MaxTimestamp(segment) < now - longest

IsPlanned(planned, id) == \E n \in 1..Len(planned) : planned[n] = id

\* -- what one listed segment comes to: the log with its plan, what surplus is left, or the end

Stop(log) == [log |-> log, surplus |-> 0, stops |-> TRUE]
GoOn(log, surplus) == [log |-> log, surplus |-> surplus, stops |-> FALSE]
Plan(log, id) == [log EXCEPT !.planned = Append(@, id)]

PlanOne(log, segment, copying, id, surplus, now) ==
    LET it == segment[id]
        left == surplus - Bytes(it)
        hasToStay == ~IsPastTime(it, now) /\ (surplus <= 0 \/ left < 0)
        isDangling == log.cache.state[id] = "DELETE_SEGMENT_STARTED"
        goes == [Plan(log, id) EXCEPT !.plannedLogStart = Larger(@, it.endOffset + 1)]
    IN  IF id \in copying THEN Stop(log)
        ELSE IF isDangling THEN GoOn(Plan(log, id), surplus)
        ELSE IF IsPlanned(log.planned, id) THEN GoOn(log, surplus)
        ELSE IF IsBelowLogStart(it, log) THEN GoOn(Plan(log, id), surplus)
        ELSE IF ~IsInLineage(it, log.lineage, LogEndOffset) THEN GoOn(log, surplus)
        ELSE IF hasToStay THEN Stop(log)
        ELSE GoOn(goes, Larger(left, 0))

RECURSIVE PlanFrom(_, _, _, _, _, _, _)
PlanFrom(log, segment, copying, epoch, id, surplus, now) ==
    LET later == NextRealEpoch(log.lineage, epoch)
        first == NextListed(log.cache, segment, later, NONE)
        following == NextListed(log.cache, segment, epoch, id)
        one == PlanOne(log, segment, copying, id, surplus, now)
    IN  IF id = NONE
        THEN IF later = NONE
             THEN log
             ELSE PlanFrom(log, segment, copying, later, first, surplus, now)
        ELSE IF one.stops
             THEN one.log
             ELSE PlanFrom(one.log, segment, copying, epoch, following, one.surplus, now)

\* Epoch by epoch, until a segment has to stay.
PlanRetention(log, segment, copying, now) ==
    PlanFrom(log, segment, copying, NONE, NONE, SurplusBytes(log, segment), now)

\* -- segments of which every epoch comes before the earliest that the leader knows

RECURSIVE PlanOldFrom(_, _, _, _)
PlanOldFrom(log, segment, epoch, id) ==
    LET earliest == EarliestEpoch(log.lineage)
        isOld == LastEpochOf(segment[id]) < earliest /\ ~IsPlanned(log.planned, id)
        more == IF isOld THEN Plan(log, id) ELSE log
    IN  IF epoch >= earliest
        THEN log
        ELSE IF id = NONE
        THEN PlanOldFrom(log, segment, epoch + 1,
                IF epoch + 1 < earliest
                THEN NextListed(log.cache, segment, epoch + 1, NONE)
                ELSE NONE)
        ELSE PlanOldFrom(more, segment, epoch, NextListed(log.cache, segment, epoch, id))

PlanOldEpochs(log, segment) == PlanOldFrom(log, segment, NONE, NONE)
=============================================================================
