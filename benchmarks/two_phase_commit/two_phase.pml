/* Twin of tests/toys/two_phase_commit.py: every action is one indivisible step.
 *
 *   spin -DMANAGERS=7 -a two_phase.pml && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan
 *
 * A process has one place only, the head of its loop, so that the program counters which
 * SPIN stores are constants and "states, stored" counts what the others call distinct.
 * A manager's process also makes the step by which the transaction manager hears from it.
 * Two bits a manager, spread over two words, are what one would write in C by hand.
 */
#ifndef MANAGERS
#define MANAGERS 7
#endif
#define EVERYBODY ((1 << MANAGERS) - 1)
#define ME (1 << _pid)

#define INIT 0
#define DECIDED_COMMIT 1
#define DECIDED_ABORT 2

unsigned rm_low : MANAGERS;     /* set in a manager that is prepared or aborted */
unsigned rm_high : MANAGERS;    /* set in a manager that is committed or aborted */
unsigned tm : 2;
unsigned tm_prepared : MANAGERS;
unsigned prepared_sent : MANAGERS;
bit commit_sent;
bit abort_sent;

#define is_working (((rm_low | rm_high) & ME) == 0)
#define no_commit_beside_an_abort ((rm_high & ~rm_low) == 0 || (rm_high & rm_low) == 0)

inline abort_me() {
    rm_low = rm_low | ME;
    rm_high = rm_high | ME;
    assert(no_commit_beside_an_abort)
}

active [MANAGERS] proctype ResourceManager() {
    do
    :: d_step { tm == INIT && (prepared_sent & ME) -> tm_prepared = tm_prepared | ME }
    :: d_step { is_working -> rm_low = rm_low | ME; prepared_sent = prepared_sent | ME }
    :: d_step { is_working -> abort_me() }
    :: d_step { commit_sent ->
           rm_low = rm_low & ~ME;
           rm_high = rm_high | ME;
           assert(no_commit_beside_an_abort) }
    :: d_step { abort_sent -> abort_me() }
    od
}

active proctype TransactionManager() {
    do
    :: d_step { tm == INIT && tm_prepared == EVERYBODY -> tm = DECIDED_COMMIT; commit_sent = 1 }
    :: d_step { tm == INIT -> tm = DECIDED_ABORT; abort_sent = 1 }
    od
}
