---------------------------- MODULE MetadataCache ----------------------------
\* Twin of model/kafka/remote_metadata_cache.py: what one broker knows of the remote segments.
\* `segment` has what never changes of an id (offsets, lineage), once for all brokers.
EXTENDS Lineage

CONSTANT SegmentIds
SegmentId == 0..SegmentIds - 1

EmptyCache ==
    [state |-> [i \in SegmentId |-> "UNKNOWN"],
     epoch |-> [e \in Epoch |-> [referenced |-> {}, unreferenced |-> {}, highestOffset |-> NONE]]]

\* -- records of the metadata topic

Add(cache, segment, id) ==
    IF cache.state[id] \notin {"UNKNOWN", "COPY_SEGMENT_STARTED"}
    THEN cache
    ELSE [state |-> [cache.state EXCEPT ![id] = "COPY_SEGMENT_STARTED"],
          epoch |-> [e \in Epoch |->
              IF segment[id].lineage[e] = NONE
              THEN cache.epoch[e]
              ELSE [cache.epoch[e] EXCEPT !.unreferenced = @ \union {id}]]]

\* The id serves reads in an epoch; it may push others out.
Refer(at, segment, id, epoch) ==
    LET lineage == segment[id].lineage
        last == EpochEnd(lineage, epoch, segment[id].endOffset + 1) - 1
        isHighest == at.highestOffset <= last
        covered == {i \in at.referenced :
            isHighest /\ segment[i].lineage[epoch] >= lineage[epoch]}
        replaced == {i \in at.referenced : segment[i].lineage[epoch] = lineage[epoch]}
    IN  [referenced |-> (at.referenced \ (covered \union replaced)) \union {id},
         unreferenced |-> (at.unreferenced \union covered) \ {id},
         highestOffset |-> Larger(at.highestOffset, last)]

FinishCopy(cache, segment, id) ==
    [state |-> [cache.state EXCEPT ![id] = "COPY_SEGMENT_FINISHED"],
     epoch |-> [e \in Epoch |->
         IF segment[id].lineage[e] = NONE
         THEN cache.epoch[e]
         ELSE Refer(cache.epoch[e], segment, id, e)]]

StartDelete(cache, segment, id) ==
    [state |-> [cache.state EXCEPT ![id] = "DELETE_SEGMENT_STARTED"],
     epoch |-> [e \in Epoch |->
         IF segment[id].lineage[e] = NONE
         THEN cache.epoch[e]
         ELSE [cache.epoch[e] EXCEPT !.referenced = @ \ {id}, !.unreferenced = @ \union {id}]]]

FinishDelete(cache, id) ==
    [state |-> [cache.state EXCEPT ![id] = "UNKNOWN"],
     epoch |-> [e \in Epoch |-> [cache.epoch[e] EXCEPT !.unreferenced = @ \ {id}]]]

\* An update of an unknown id, or an illegal one, changes nothing.
ApplyRecord(cache, segment, id, kind) ==
    LET state == cache.state[id]
        finishesCopy == kind = "COPY_SEGMENT_FINISHED"
            /\ state \in {"COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED"}
        startsDelete == kind = "DELETE_SEGMENT_STARTED" /\ state # "UNKNOWN"
        finishesDelete == kind = "DELETE_SEGMENT_FINISHED" /\ state = "DELETE_SEGMENT_STARTED"
    IN  CASE kind = "COPY_SEGMENT_STARTED" -> Add(cache, segment, id)
          [] finishesCopy -> FinishCopy(cache, segment, id)
          [] startsDelete -> StartDelete(cache, segment, id)
          [] finishesDelete -> FinishDelete(cache, id)
          [] OTHER -> cache

\* -- queries: an id, or NONE

Lookup(cache, segment, epoch, offset) ==
    LET start(i) == segment[i].lineage[epoch]
        tried == {i \in cache.epoch[epoch].referenced : start(i) <= offset}
        found == CHOOSE i \in tried : \A j \in tried :
            start(j) < start(i) \/ (start(j) = start(i) /\ i <= j)
    IN  IF tried = {}
        THEN NONE
        ELSE IF offset < EpochEnd(segment[found].lineage, epoch, segment[found].endOffset + 1)
        THEN found
        ELSE NONE

Listed(cache, epoch) == cache.epoch[epoch].referenced \union cache.epoch[epoch].unreferenced

\* The order of listRemoteLogSegments(epoch).
ComesBefore(cache, segment, epoch, a, b) ==
    LET at == cache.epoch[epoch]
        byEpoch == segment[a].lineage[epoch] < segment[b].lineage[epoch]
    IN  CASE at.unreferenced = {} -> byEpoch
          [] at.unreferenced # {} /\ segment[a].startOffset # segment[b].startOffset ->
                segment[a].startOffset < segment[b].startOffset
          [] OTHER -> IF (a \in at.referenced) # (b \in at.referenced)
                      THEN a \in at.referenced
                      ELSE IF a \notin at.referenced THEN a < b ELSE byEpoch

NextListed(cache, segment, epoch, id) ==
    LET isBefore(a, b) == ComesBefore(cache, segment, epoch, a, b)
        after == {i \in Listed(cache, epoch) \ {id} : id = NONE \/ isBefore(id, i)}
    IN  IF after = {}
        THEN NONE
        ELSE CHOOSE i \in after : \A j \in after \ {i} : ~isBefore(j, i)

HasTracked(cache) == cache.state # EmptyCache.state

\* -- what the remote log manager asks

FindHighestRemoteOffset(cache, lineage, logEndOffset) ==
    LET epoch == Greatest({e \in Entries(lineage) : cache.epoch[e].highestOffset # NONE})
        highest == cache.epoch[epoch].highestOffset
        end == EpochEnd(lineage, epoch, logEndOffset)
    IN  IF epoch = NONE THEN NONE ELSE IF end <= highest THEN end - 1 ELSE highest

FindLogStartOffset(cache, segment, lineage, otherwise) ==
    LET epoch == Least({e \in Entries(lineage) : Listed(cache, e) # {}})
    IN  IF epoch = NONE
        THEN otherwise
        ELSE segment[NextListed(cache, segment, epoch, NONE)].startOffset
=============================================================================
