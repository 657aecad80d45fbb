------------------------------- MODULE Lineage -------------------------------
\* Twin of model/kafka/leader_epoch_lineage.py: which leader wrote which offsets.
\* A lineage gives each leader epoch its start offset, or NONE. Entries are sorted in both.
EXTENDS Integers

CONSTANT LeaderEpochs

NONE == -1
Epoch == 0..LeaderEpochs - 1

Least(set) == IF set = {} THEN NONE ELSE CHOOSE x \in set : \A y \in set : x <= y
Greatest(set) == IF set = {} THEN NONE ELSE CHOOSE x \in set : \A y \in set : x >= y
Larger(a, b) == IF a >= b THEN a ELSE b
Smaller(a, b) == IF a <= b THEN a ELSE b

\* -- reading

Entries(lineage) == {e \in Epoch : lineage[e] # NONE}
NextEpoch(lineage, epoch) == Least({e \in Entries(lineage) : e > epoch})
PreviousEpoch(lineage, epoch) == Greatest({e \in Entries(lineage) : e < epoch})
EarliestEpoch(lineage) == NextEpoch(lineage, NONE)
LatestEpoch(lineage) == PreviousEpoch(lineage, LeaderEpochs)

EpochForOffset(lineage, offset) ==
    LET startingThere == {e \in Epoch : lineage[e] = offset}
    IN  IF startingThere # {}
        THEN Least(startingThere)
        ELSE Greatest({e \in Entries(lineage) : lineage[e] < offset})

\* The epoch and its end, exclusive; NONE twice if unknown.
EndOffsetFor(lineage, epoch, logEndOffset) ==
    LET later == NextEpoch(lineage, epoch)
        floor == PreviousEpoch(lineage, epoch + 1)
    IN  CASE epoch = NONE -> <<NONE, NONE>>
          [] epoch # NONE /\ epoch = LatestEpoch(lineage) -> <<epoch, logEndOffset>>
          [] OTHER -> IF later = NONE
                      THEN <<NONE, NONE>>
                      ELSE <<IF floor = NONE THEN epoch ELSE floor, lineage[later]>>

EpochEnd(lineage, epoch, otherwise) ==
    LET later == NextEpoch(lineage, epoch)
    IN  IF later = NONE THEN otherwise ELSE lineage[later]

IsShadowed(lineage, epoch) ==
    LET later == NextEpoch(lineage, epoch)
    IN  later # NONE /\ lineage[later] = lineage[epoch]

Filtered(lineage) == [e \in Epoch |-> IF IsShadowed(lineage, e) THEN NONE ELSE lineage[e]]

\* -- changing

EmptyLineage == [e \in Epoch |-> NONE]

Assign(lineage, epoch, startOffset) ==
    IF LatestEpoch(lineage) = epoch /\ startOffset >= lineage[epoch]
    THEN lineage
    ELSE [e \in Epoch |->
            CASE e = epoch -> startOffset
              [] e < epoch /\ lineage[e] < startOffset -> lineage[e]
              [] OTHER -> NONE]

TruncateFromStart(lineage, offset) ==
    LET before == {e \in Entries(lineage) : lineage[e] <= offset}
    IN  [e \in Epoch |->
            CASE e \notin before -> lineage[e]
              [] e \in before /\ e = Greatest(before) -> offset
              [] OTHER -> NONE]

TruncateFromEnd(lineage, offset) ==
    [e \in Epoch |-> IF lineage[e] >= offset THEN NONE ELSE lineage[e]]

EntriesInRange(lineage, startOffset, endOffset) ==
    TruncateFromEnd(TruncateFromStart(lineage, startOffset), endOffset)

\* -- a segment against the lineage of a leader

EndsElsewhere(segment, own, lineage, epoch) ==
    LET successor == NextEpoch(lineage, epoch)
        ownNext == NextEpoch(own, epoch)
    IN  IF ownNext = NONE
        THEN successor # NONE /\ segment.endOffset >= lineage[successor]
        ELSE successor # ownNext \/ lineage[successor] # own[ownNext]

IsInLineage(segment, lineageOfLeader, logEndOffset) ==
    LET lineage == Filtered(lineageOfLeader)
        own == Filtered(segment.lineage)
        earliest == EarliestEpoch(lineage)
        last == LatestEpoch(own)
        first == NextEpoch(own, earliest - 1)
        startsTooEarly == PreviousEpoch(lineage, first) # NONE /\ own[first] < lineage[first]
    IN  /\ earliest # NONE /\ last # NONE
        /\ earliest <= last /\ last <= LatestEpoch(lineage)
        /\ \A e \in {x \in Entries(own) : x >= earliest} :
            /\ lineage[e] # NONE
            /\ ~(e = first /\ startsTooEarly)
            /\ ~EndsElsewhere(segment, own, lineage, e)
        /\ segment.endOffset < logEndOffset
=============================================================================
