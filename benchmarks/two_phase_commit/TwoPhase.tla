------------------------------ MODULE TwoPhase ------------------------------
\* Twin of tests/toys/two_phase_commit.py, action by action and in its order.
\* The network is three fields, as there: who has voted, and whether the outcome was sent.
EXTENDS Integers

CONSTANT Managers       \* how many resource managers there are

VARIABLES rm, tm, tmPrepared, preparedSent, commitSent, abortSent

state == <<rm, tm, tmPrepared, preparedSent, commitSent, abortSent>>

Manager == 1..Managers
everyFlag(value) == [m \in Manager |-> value]

Start ==
    /\ rm = [m \in Manager |-> "working"]
    /\ tm = "init"
    /\ tmPrepared = everyFlag(FALSE)
    /\ preparedSent = everyFlag(FALSE)
    /\ commitSent = FALSE
    /\ abortSent = FALSE

TmCommits ==
    /\ tm = "init"
    /\ tmPrepared = everyFlag(TRUE)
    /\ tm' = "committed"
    /\ commitSent' = TRUE
    /\ UNCHANGED <<rm, tmPrepared, preparedSent, abortSent>>

TmAborts ==
    /\ tm = "init"
    /\ tm' = "aborted"
    /\ abortSent' = TRUE
    /\ UNCHANGED <<rm, tmPrepared, preparedSent, commitSent>>

TmReceivesPrepared(m) ==
    /\ tm = "init"
    /\ preparedSent[m]
    /\ tmPrepared' = [tmPrepared EXCEPT ![m] = TRUE]
    /\ UNCHANGED <<rm, tm, preparedSent, commitSent, abortSent>>

RmPrepares(m) ==
    /\ rm[m] = "working"
    /\ rm' = [rm EXCEPT ![m] = "prepared"]
    /\ preparedSent' = [preparedSent EXCEPT ![m] = TRUE]
    /\ UNCHANGED <<tm, tmPrepared, commitSent, abortSent>>

RmChoosesToAbort(m) ==
    /\ rm[m] = "working"
    /\ rm' = [rm EXCEPT ![m] = "aborted"]
    /\ UNCHANGED <<tm, tmPrepared, preparedSent, commitSent, abortSent>>

RmReceivesCommit(m) ==
    /\ commitSent
    /\ rm' = [rm EXCEPT ![m] = "committed"]
    /\ UNCHANGED <<tm, tmPrepared, preparedSent, commitSent, abortSent>>

RmReceivesAbort(m) ==
    /\ abortSent
    /\ rm' = [rm EXCEPT ![m] = "aborted"]
    /\ UNCHANGED <<tm, tmPrepared, preparedSent, commitSent, abortSent>>

Step ==
    \/ TmCommits
    \/ TmAborts
    \/ \E m \in Manager :
        \/ TmReceivesPrepared(m)
        \/ RmPrepares(m)
        \/ RmChoosesToAbort(m)
        \/ RmReceivesCommit(m)
        \/ RmReceivesAbort(m)

Behaviours == Start /\ [][Step]_state

NoCommitBesideAnAbort ==
    ~ \E a, b \in Manager : rm[a] = "committed" /\ rm[b] = "aborted"
=============================================================================
