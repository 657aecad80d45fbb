------------------------------ MODULE LocalLog -------------------------------
\* Twin of model/kafka/local_segments.py, local_retention.py and copy_task.py.
\* `log` is a broker's record, as there. Every replica has all records from the beginning to
\* the end, a record is one byte, and all is committed: LogEndOffset is the high watermark.
EXTENDS Lineage

CONSTANTS Offsets, IsSizeLimited, RetentionBytes
LogEndOffset == Offsets

\* The topic's settings, -1 unlimited; local.retention.ms is -1 at all these scopes.
Settings ==
    [retentionBytes |-> IF IsSizeLimited THEN RetentionBytes ELSE -1,
     retentionMs |-> IF IsSizeLimited THEN -1 ELSE 0,
     localRetentionBytes |-> Smaller(1, RetentionBytes)]

\* -- segments, by their base offsets; the last one is the active one and may be empty

FirstBase(log) == Least(log.startsSegment)
NextBase(log, base) == Least({start \in log.startsSegment : start > base})

FloorBase(log, offset) ==
    LET below == {start \in log.startsSegment : start <= offset}
    IN  IF below = {} THEN FirstBase(log) ELSE Greatest(below)

SegmentEnd(log, base) ==
    LET following == NextBase(log, base)
    IN  IF following = NONE THEN LogEndOffset ELSE following

\* Segments that begin at the highest remote offset are counted here (and as remote ones).
OnlyLocalBytes(log) ==
    LET base == Least({start \in log.startsSegment :
            start >= Larger(log.highestRemoteOffset, 0) /\ start < LogEndOffset})
    IN  IF base = NONE THEN 0 ELSE LogEndOffset - base

\* -- start offsets

RaiseLogStart(log, offset) ==
    LET raised == [log EXCEPT !.localLogStartOffset = Larger(@, offset)]
    IN  IF offset > log.logStartOffset
        THEN [raised EXCEPT !.logStartOffset = offset, !.lineage = TruncateFromStart(@, offset)]
        ELSE raised

LearnHighestRemoteOffset(log, offset) ==
    [log EXCEPT !.highestRemoteOffset = Larger(@, offset)]

\* -- local retention

Reason == {"LOG_START", "SIZE", "TIME"}

IsBeforeLogStart(log, base) ==
    NextBase(log, base) # NONE /\ NextBase(log, base) <= log.localLogStartOffset

IsBreached(log, base, surplus, reason) ==
    CASE reason = "LOG_START" -> IsBeforeLogStart(log, base)
      [] reason = "SIZE" -> surplus >= SegmentEnd(log, base) - base
      [] reason = "TIME" -> FALSE

IsEligible(log, base) ==
    LET following == NextBase(log, base)
        end == SegmentEnd(log, base)
    IN  \/ end > 0 /\ end - 1 <= log.highestRemoteOffset
        \/ following # NONE /\ log.logStartOffset >= following

RECURSIVE RetainedAfter(_, _, _, _)
RetainedAfter(log, reason, base, surplus) ==
    LET end == SegmentEnd(log, base)
        isActive == NextBase(log, base) = NONE
    IN  CASE base = NONE -> [kept |-> NONE, rolls |-> TRUE]
          [] base # NONE /\ ~IsBreached(log, base, surplus, reason) ->
                [kept |-> base, rolls |-> FALSE]
          [] OTHER ->
                IF end = base \/ ~IsEligible(log, base)
                THEN [kept |-> base, rolls |-> isActive /\ end > base]
                ELSE RetainedAfter(log, reason, NextBase(log, base), surplus - (end - base))

\* The first segment that stays, or NONE, and whether the active one rolls.
RetainedFrom(log, reason) ==
    LET held == LogEndOffset - FirstBase(log)
    IN  RetainedAfter(log, reason, FirstBase(log), held - Settings.localRetentionBytes)

NewStart(retained) == IF retained.kept = NONE THEN LogEndOffset ELSE retained.kept

MovesStart(log, retained) ==
    NewStart(retained) > FirstBase(log) /\ NewStart(retained) > log.localLogStartOffset

RaiseStartToDelete(log, retained) ==
    LET rolled == IF retained.rolls THEN {LogEndOffset} ELSE {}
        start == IF NewStart(retained) > FirstBase(log) THEN NewStart(retained) ELSE 0
    IN  [log EXCEPT !.startsSegment = @ \union rolled, !.localLogStartOffset = Larger(@, start)]

RECURSIVE FirstNotRemovedAfter(_, _)
FirstNotRemovedAfter(log, base) ==
    IF IsBeforeLogStart(log, base) /\ IsEligible(log, base)
    THEN FirstNotRemovedAfter(log, NextBase(log, base))
    ELSE base

FirstNotRemoved(log) == FirstNotRemovedAfter(log, FirstBase(log))

RemoveSegments(log, endOffset) ==
    [log EXCEPT !.startsSegment = {start \in @ : start >= endOffset}]

\* -- what to copy next, or NONE; never the active segment

NextBaseToCopy(log) ==
    LET base == FloorBase(log, Larger(log.copiedOffset + 1, log.logStartOffset))
    IN  IF NextBase(log, base) = NONE THEN NONE ELSE base
=============================================================================
