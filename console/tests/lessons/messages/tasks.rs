//! The messages about a task: its goals, what is missing, its solution.

use super::{block, expect};

#[test]
fn tasks() {
    let task = |lines: &str| block(&format!("try forget:\nForget a.\n{lines}"));
    let done = "done\n    count -> entries == 1\n    else There is no pair.\n";
    expect(&task(&format!("{done}solution\n    put a 1")), &[]);
    expect(
        &task("done\n    count -> entries == 0\n    else There is a pair.\nsolution\n    put a 1"),
        &[
            "13: task forget is done before it begins",
            "13: the solution of forget does not reach its goal: count -> entries is 1, not == 0",
        ],
    );
    expect(
        &task(&format!("{done}solution\n    get a")),
        &["13: the solution of forget does not reach its goal: count -> entries is 0, not == 1"],
    );
    expect(
        &task("solution\n    put a 1"),
        &["14: task forget needs done, and conditions below it with four spaces each"],
    );
    expect(
        &task(done),
        &["14: task forget needs solution, and commands below it with four spaces each"],
    );
    expect(
        &task(&format!("{done}solution\n    put a 1 --in 9")),
        &[
            "13: the solution of forget does not reach its goal: count -> entries is 0, not == 1",
            "20: the command fails: transaction 9 is not open; none is: `begin` begins one",
        ],
    );
    expect(
        &task(&format!("{done}hints\nsolution\n    put a 1")),
        &["19: a task has done, hint TEXT and solution, in this order"],
    );
}

#[test]
fn what_is_missing_of_a_task() {
    let task = |goals: &str, solution: &str| {
        block(&format!("try forget:\nForget a.\ndone\n{goals}\nsolution\n    {solution}"))
    };
    let unnamed = "below this condition belongs a line with else and what is missing";
    let twice = "else stands below a condition, once";
    let goal = "    count -> entries == 1";
    expect(&task(goal, "put a 1"), &[&format!("17: {unnamed}")]);
    expect(
        &task(&format!("{goal}\n{goal}\n    else No."), "put a 1"),
        &[&format!("17: {unnamed}")],
    );
    expect(
        &task(&format!("    else No.\n{goal}\n    else No."), "put a 1"),
        &[&format!("17: {twice}")],
    );
    expect(
        &task(&format!("{goal}\n    else No.\n    else No."), "put a 1"),
        &[&format!("19: {twice}")],
    );
    // Values from the beginning of the task, and the result of the last command.
    let more =
        "    stats -> puts == before + 1\n    else No put.\n    -> found == true\n    else No get.";
    expect(&task(more, "put a 1; get a"), &[]);
    expect(
        &task(more, "put a 1"),
        &[
            "13: the solution of forget does not reach its goal: -> found has no found in it; there are: count, sequence",
        ],
    );
    expect(
        &task("    stats -> puts == before\n    else A put.", "get a"),
        &["13: task forget is done before it begins"],
    );
    expect(
        &task("    -> found\n    else No.", "get a --snapshot 3"),
        &[
            "13: the solution of forget does not reach its goal: there is no snapshot 3",
            "20: the command fails: there is no snapshot 3; there is none: `snapshot` makes one",
        ],
    );
}
