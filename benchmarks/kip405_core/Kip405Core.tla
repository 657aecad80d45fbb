----------------------------- MODULE Kip405Core ------------------------------
\* Twin of model/designs/kip405 at scopes without faults, appends, restarts, deleted topics:
\* copying, expiration, the metadata topic, local retention, elections, followers, time.
\* One definition an action, with its name in the design; guards first, then the effect. Guards
\* are written without \/ and \E: TLC would count each branch as a step of its own.
\*
\* What can never change at those scopes, or follows from the rest, is no part of the state:
\*   constant    log end and high watermark (all is everywhere and committed), the in-sync
\*               replicas, settings, committed records, that caches are initialized
\*   derived     sizes and times of records and segments (from offsets), a broker's `copying`
\*               (copier of a segment), its follower and expiration tasks (presumedLeader),
\*               elections spent (leaderEpoch), the end of the metadata topic and of a plan
EXTENDS ExpirationPlan

CONSTANTS Brokers, SegmentBytes, MetadataRecords, Elections

VARIABLES clock, electedLeader, leaderEpoch, metadataTopic, broker, segment

partition == <<clock, electedLeader, leaderEpoch, metadataTopic, broker, segment>>

Broker == 0..Brokers - 1

UnusedSegment ==
    [startOffset |-> 0, endOffset |-> 0, lineage |-> EmptyLineage, epochIndex |-> EmptyLineage,
     objectExists |-> FALSE, copier |-> NONE, attempt |-> "IDLE", isCancelled |-> FALSE,
     awaits |-> 0]

\* Broker 0 leads; every replica has the same records, nothing is copied.
FirstReplica(b) ==
    [logStartOffset |-> 0, localLogStartOffset |-> 0, highestRemoteOffset |-> NONE,
     startsSegment |-> {o \in 0..LogEndOffset - 1 : o % SegmentBytes = 0},
     lineage |-> [EmptyLineage EXCEPT ![0] = 0],
     presumedLeader |-> 0, leaderEpoch |-> 0,
     metadataPosition |-> 0, cache |-> EmptyCache,
     copyTask |-> IF b = 0 THEN "SCHEDULED" ELSE "NONE", copiedOffset |-> NONE,
     runStep |-> "IDLE", isRunCancelled |-> FALSE, runAwaits |-> 0,
     planned |-> <<>>, plannedNext |-> 0, plannedLogStart |-> 0]

Start ==
    /\ clock = 0
    /\ electedLeader = 0
    /\ leaderEpoch = 0
    /\ metadataTopic = <<>>
    /\ broker = [b \in Broker |-> FirstReplica(b)]
    /\ segment = [i \in SegmentId |-> UnusedSegment]

PresumesToLead(b) == broker[b].presumedLeader = b
Copying(b) == {i \in SegmentId : segment[i].copier = b}
UnchangedButBroker == UNCHANGED <<clock, electedLeader, leaderEpoch, metadataTopic, segment>>
UnchangedButSegment == UNCHANGED <<clock, electedLeader, leaderEpoch, metadataTopic, broker>>
UnchangedControl == UNCHANGED <<clock, electedLeader, leaderEpoch>>

\* -- replication

Divergence(leader, follower) ==
    LET latest == LatestEpoch(follower.lineage)
        atLeader == EndOffsetFor(leader.lineage, latest, LogEndOffset)
        own == EndOffsetFor(follower.lineage, atLeader[1], LogEndOffset)[2]
        ownEnd == IF own = NONE THEN LogEndOffset ELSE own
    IN  CASE latest = NONE \/ LogEndOffset <= leader.logStartOffset -> NONE
          [] OTHER -> IF atLeader[1] = NONE
                      THEN NONE
                      ELSE IF atLeader[1] = latest /\ atLeader[2] >= LogEndOffset
                      THEN NONE
                      ELSE Smaller(atLeader[2], Smaller(ownEnd, LogEndOffset))

FetchesFromALeader(b) ==
    LET leader == broker[b].presumedLeader
    IN  /\ leader # b
        /\ PresumesToLead(leader)
        /\ broker[b].leaderEpoch = broker[leader].leaderEpoch

\* A segment that the leader rolled, or its log start: there are no records to fetch.
HasSomethingToFetch(me, leader) ==
    ~ /\ LogEndOffset \in leader.startsSegment => LogEndOffset \in me.startsSegment
      /\ me.logStartOffset >= leader.logStartOffset

FollowerFetches(b) ==
    LET me == broker[b]
        leader == broker[me.presumedLeader]
        rolled == leader.startsSegment \intersect {LogEndOffset}
        fetched == [me EXCEPT !.startsSegment = @ \union rolled]
    IN  /\ FetchesFromALeader(b)
        /\ Divergence(leader, me) = NONE
        /\ HasSomethingToFetch(me, leader)
        /\ broker' = [broker EXCEPT ![b] = RaiseLogStart(fetched, leader.logStartOffset)]
        /\ UnchangedButBroker

\* Logs diverge only at their end: there is lineage to give up, and no record.
FollowerTruncates(b) ==
    LET me == broker[b]
        offset == Divergence(broker[me.presumedLeader], me)
    IN  /\ FetchesFromALeader(b)
        /\ offset # NONE
        /\ broker' = [broker EXCEPT ![b].lineage = TruncateFromEnd(@, offset)]
        /\ UnchangedButBroker

\* -- the follower task

FollowerTaskFindsHighestRemoteOffset(b) ==
    LET me == broker[b]
        found == FindHighestRemoteOffset(me.cache, me.lineage, LogEndOffset)
    IN  /\ ~PresumesToLead(b)
        /\ found > me.highestRemoteOffset
        /\ broker' = [broker EXCEPT ![b] = LearnHighestRemoteOffset(@, found)]
        /\ UnchangedButBroker

\* -- the metadata topic

MetadataEnd == Len(metadataTopic)
HasPlaceForMetadata == MetadataEnd < MetadataRecords
Publish(i, kind) == metadataTopic' = Append(metadataTopic, [segment |-> i, kind |-> kind])

BrokerReadsMetadata(b) ==
    LET me == broker[b]
        record == metadataTopic[me.metadataPosition + 1]
    IN  /\ me.metadataPosition < MetadataEnd
        /\ broker' = [broker EXCEPT
            ![b].cache = ApplyRecord(@, segment, record.segment, record.kind),
            ![b].metadataPosition = @ + 1]
        /\ UnchangedButBroker

\* -- copying

CopyTaskFindsLogStart(b) ==
    LET me == broker[b]
        found == FindLogStartOffset(me.cache, segment, me.lineage, me.localLogStartOffset)
    IN  /\ me.copyTask = "SCHEDULED"
        /\ broker' = [broker EXCEPT
            ![b] = [RaiseLogStart(@, found) EXCEPT !.copyTask = "LOG_START_FOUND"]]
        /\ UnchangedButBroker

CopyTaskFindsHighestRemoteOffset(b) ==
    LET me == broker[b]
        found == FindHighestRemoteOffset(me.cache, me.lineage, LogEndOffset)
    IN  /\ me.copyTask = "LOG_START_FOUND"
        /\ broker' = [broker EXCEPT
            ![b] = [LearnHighestRemoteOffset(@, found) EXCEPT
                !.copiedOffset = found, !.copyTask = "READY"]]
        /\ UnchangedButBroker

FreeSegmentId == Least({i \in SegmentId : segment[i].lineage = EmptyLineage})

Describe(log, base) ==
    LET end == SegmentEnd(log, base)
    IN  [UnusedSegment EXCEPT
            !.startOffset = base,
            !.endOffset = end - 1,
            !.lineage = EntriesInRange(log.lineage, base, end),
            !.epochIndex = TruncateFromEnd(log.lineage, end)]

\* Without a lineage that covers the segment, its metadata is refused.
HasEpochsToCopy(log, base) ==
    LET earliest == EarliestEpoch(log.lineage)
    IN  earliest # NONE /\ log.lineage[earliest] < SegmentEnd(log, base)

CopyTaskChoosesSegment(b) ==
    LET base == NextBaseToCopy(broker[b])
    IN  /\ broker[b].copyTask = "READY"
        /\ base # NONE
        /\ HasEpochsToCopy(broker[b], base)
        /\ \A i \in Copying(b) : segment[i].isCancelled
        /\ FreeSegmentId # NONE
        /\ segment' = [segment EXCEPT
            ![FreeSegmentId] = [Describe(broker[b], base) EXCEPT
                !.copier = b, !.attempt = "CHOSEN"]]
        /\ UnchangedButSegment

HasReadOwnRecord(i) == broker[segment[i].copier].metadataPosition >= segment[i].awaits

CopyPublishesStarted(i) ==
    /\ segment[i].attempt = "CHOSEN"
    /\ HasPlaceForMetadata
    /\ Publish(i, "COPY_SEGMENT_STARTED")
    /\ segment' = [segment EXCEPT ![i].awaits = MetadataEnd + 1, ![i].attempt = "STARTED"]
    /\ UNCHANGED broker
    /\ UnchangedControl

CopyStoresObject(i) ==
    /\ segment[i].attempt = "STARTED"
    /\ HasReadOwnRecord(i)
    /\ segment' = [segment EXCEPT ![i].objectExists = TRUE, ![i].attempt = "STORED"]
    /\ UnchangedButSegment

CopyPublishesFinished(i) ==
    /\ segment[i].attempt = "STORED"
    /\ HasPlaceForMetadata
    /\ Publish(i, "COPY_SEGMENT_FINISHED")
    /\ segment' = [segment EXCEPT ![i].awaits = MetadataEnd + 1, ![i].attempt = "FINISHED"]
    /\ UNCHANGED broker
    /\ UnchangedControl

CopyRecordsProgress(i) ==
    LET it == segment[i]
        learned == LearnHighestRemoteOffset(broker[it.copier], it.endOffset)
    IN  /\ it.attempt = "FINISHED"
        /\ HasReadOwnRecord(i)
        /\ broker' = [broker EXCEPT
            ![it.copier] = [learned EXCEPT
                !.copiedOffset = IF it.isCancelled THEN @ ELSE it.endOffset]]
        /\ segment' = [segment EXCEPT ![i] = [it EXCEPT
            !.copier = NONE, !.attempt = "IDLE", !.isCancelled = FALSE, !.awaits = 0]]
        /\ UNCHANGED metadataTopic
        /\ UnchangedControl

\* -- expiration

ForgetPlan(log) ==
    [log EXCEPT !.planned = <<>>, !.plannedNext = 0, !.plannedLogStart = 0, !.runAwaits = 0]

EndRun(log) == [ForgetPlan(log) EXCEPT !.runStep = "IDLE", !.isRunCancelled = FALSE]

SeedHighestRemoteOffset(log) ==
    IF log.highestRemoteOffset # NONE
    THEN log
    ELSE LearnHighestRemoteOffset(
            log, FindHighestRemoteOffset(log.cache, log.lineage, LogEndOffset))

\* A run that finds nothing to do does not begin.
ExpirationTaskPlansRetention(b) ==
    LET me == SeedHighestRemoteOffset(broker[b])
        planned == PlanRetention(me, segment, Copying(b), clock)
        isIdle == planned.planned = <<>> /\ PlanOldEpochs(planned, segment).planned = <<>>
    IN  /\ PresumesToLead(b)
        /\ broker[b].runStep = "IDLE"
        /\ HasTracked(broker[b].cache)
        /\ broker' = [broker EXCEPT
            ![b] = IF isIdle THEN me ELSE [planned EXCEPT !.runStep = "PLANNED"]]
        /\ UnchangedButBroker

ExpirationTaskRaisesLogStart(b) ==
    LET me == broker[b]
        raised == IF me.plannedLogStart > 0 THEN RaiseLogStart(me, me.plannedLogStart) ELSE me
    IN  /\ me.runStep = "PLANNED"
        /\ broker' = [broker EXCEPT
            ![b] = [raised EXCEPT !.plannedLogStart = 0, !.runStep = "DELETING"]]
        /\ UnchangedButBroker

HasReadOwnDeletion(b) == broker[b].metadataPosition >= broker[b].runAwaits
IsDeleting(b) == broker[b].runStep = "DELETING" /\ HasReadOwnDeletion(b)
HasDeletionPlanned(b) == broker[b].plannedNext < Len(broker[b].planned)
NextDeletion(b) == broker[b].planned[broker[b].plannedNext + 1]

ExpirationPublishesDeleteStarted(b) ==
    /\ IsDeleting(b)
    /\ HasDeletionPlanned(b)
    /\ ~broker[b].isRunCancelled
    /\ HasPlaceForMetadata
    /\ Publish(NextDeletion(b), "DELETE_SEGMENT_STARTED")
    /\ broker' = [broker EXCEPT
        ![b].runAwaits = MetadataEnd + 1, ![b].runStep = "DELETE_STARTED"]
    /\ UNCHANGED segment
    /\ UnchangedControl

ExpirationDeletesObject(b) ==
    /\ broker[b].runStep = "DELETE_STARTED"
    /\ HasReadOwnDeletion(b)
    /\ segment' = [segment EXCEPT ![NextDeletion(b)].objectExists = FALSE]
    /\ broker' = [broker EXCEPT ![b].runStep = "OBJECT_DELETED"]
    /\ UNCHANGED metadataTopic
    /\ UnchangedControl

ExpirationPublishesDeleteFinished(b) ==
    /\ broker[b].runStep = "OBJECT_DELETED"
    /\ HasPlaceForMetadata
    /\ Publish(NextDeletion(b), "DELETE_SEGMENT_FINISHED")
    /\ broker' = [broker EXCEPT
        ![b].runAwaits = MetadataEnd + 1, ![b].plannedNext = @ + 1, ![b].runStep = "DELETING"]
    /\ UNCHANGED segment
    /\ UnchangedControl

ExpirationTaskPlansOldEpochs(b) ==
    LET forgotten == ForgetPlan(broker[b])
        me == IF forgotten.isRunCancelled THEN forgotten ELSE PlanOldEpochs(forgotten, segment)
    IN  /\ IsDeleting(b)
        /\ ~HasDeletionPlanned(b)
        /\ broker' = [broker EXCEPT ![b] = IF me.planned = <<>> THEN EndRun(me) ELSE me]
        /\ UnchangedButBroker

CancelledExpirationEnds(b) ==
    /\ IsDeleting(b)
    /\ HasDeletionPlanned(b)
    /\ broker[b].isRunCancelled
    /\ broker' = [broker EXCEPT ![b] = EndRun(@)]
    /\ UnchangedButBroker

\* -- local retention

BrokerRaisesStartToDelete(b, reason) ==
    LET retained == RetainedFrom(broker[b], reason)
    IN  /\ ~(~retained.rolls /\ ~MovesStart(broker[b], retained))
        /\ broker' = [broker EXCEPT ![b] = RaiseStartToDelete(@, retained)]
        /\ UnchangedButBroker

BrokerRemovesSegments(b) ==
    LET me == broker[b]
    IN  /\ FirstNotRemoved(me) > FirstBase(me)
        /\ broker' = [broker EXCEPT ![b] = RemoveSegments(@, FirstNotRemoved(me))]
        /\ UnchangedButBroker

\* -- leadership and time

Lead(log, b) ==
    [log EXCEPT
        !.presumedLeader = b,
        !.leaderEpoch = leaderEpoch,
        !.lineage = Assign(@, leaderEpoch, LogEndOffset),
        !.copyTask = IF @ = "NONE" THEN "SCHEDULED" ELSE @]

\* Tasks are cancelled; a run at work is told, copies at work are told in BrokerLearnsLeader.
Follow(log) ==
    [log EXCEPT
        !.presumedLeader = electedLeader,
        !.leaderEpoch = leaderEpoch,
        !.copyTask = "NONE",
        !.copiedOffset = NONE,
        !.isRunCancelled = IF log.runStep = "IDLE" THEN @ ELSE TRUE]

BrokerLearnsLeader(b) ==
    /\ broker[b].leaderEpoch < leaderEpoch
    /\ broker' = [broker EXCEPT ![b] = IF electedLeader = b THEN Lead(@, b) ELSE Follow(@)]
    /\ segment' = [i \in SegmentId |->
        IF electedLeader # b /\ i \in Copying(b)
        THEN [segment[i] EXCEPT !.isCancelled = TRUE]
        ELSE segment[i]]
    /\ UNCHANGED metadataTopic
    /\ UnchangedControl

ControllerElectsLeader(b) ==
    /\ leaderEpoch < Elections
    /\ electedLeader' = b
    /\ leaderEpoch' = leaderEpoch + 1
    /\ UNCHANGED <<clock, metadataTopic, broker, segment>>

TimePasses(ms) ==
    /\ clock + ms <= ClockMs
    /\ clock' = clock + ms
    /\ UNCHANGED <<electedLeader, leaderEpoch, metadataTopic, broker, segment>>

Step ==
    \/ \E b \in Broker :
        \/ FollowerFetches(b)
        \/ FollowerTruncates(b)
        \/ FollowerTaskFindsHighestRemoteOffset(b)
        \/ BrokerReadsMetadata(b)
        \/ CopyTaskFindsLogStart(b)
        \/ CopyTaskFindsHighestRemoteOffset(b)
        \/ CopyTaskChoosesSegment(b)
    \/ \E i \in SegmentId :
        \/ CopyPublishesStarted(i)
        \/ CopyStoresObject(i)
        \/ CopyPublishesFinished(i)
        \/ CopyRecordsProgress(i)
    \/ \E b \in Broker :
        \/ ExpirationTaskPlansRetention(b)
        \/ ExpirationTaskRaisesLogStart(b)
        \/ ExpirationPublishesDeleteStarted(b)
        \/ ExpirationDeletesObject(b)
        \/ ExpirationPublishesDeleteFinished(b)
        \/ ExpirationTaskPlansOldEpochs(b)
        \/ CancelledExpirationEnds(b)
        \/ \E reason \in Reason : BrokerRaisesStartToDelete(b, reason)
        \/ BrokerRemovesSegments(b)
        \/ BrokerLearnsLeader(b)
        \/ ControllerElectsLeader(b)
    \/ \E ms \in 1..ClockMs : TimePasses(ms)

Behaviours == Start /\ [][Step]_partition
=============================================================================
