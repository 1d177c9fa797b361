// Runs the stages of `npm test`: several at once, each when what it needs has ended well.

import { printLine, since, stageOutput } from './lib.mjs';

/** The room of a stage that keeps at least one core busy. */
const USUAL = 2;

/** The output of a stage waits until the stages that began before it have ended: no two are mixed. */
class Print {
  #waiting = [];
  #isLive = false;

  write = (text) => {
    if (this.#isLive) process.stdout.write(text);
    else this.#waiting.push(text);
  };

  goLive() {
    this.#isLive = true;
    for (const text of this.#waiting.splice(0)) process.stdout.write(text);
  }
}

async function run(stage) {
  const start = performance.now();
  printLine(`\n── ${stage.name} ${'─'.repeat(Math.max(0, 70 - stage.name.length))}`);
  try {
    return { name: stage.name, ...(await stage.run()), seconds: since(start) };
  } catch (error) {
    printLine(error.message ?? error);
    return { name: stage.name, passed: 0, failed: 1, seconds: since(start) };
  }
}

function notRun(stage, blocker) {
  printLine(`\n${stage.name} is not run, because "${blocker}" failed.`);
  return { name: stage.name, passed: 0, failed: 1, seconds: 'not run' };
}

/**
 * Runs `stages`, of which each may need others, in their order, as many at once as have `room` beside each other in `width`.
 * Resolves to their outcomes in the same order.
 */
export async function runStages(stages, width) {
  const outcomes = new Map();
  const names = new Set(stages.map(({ name }) => name));
  const running = new Map();
  const prints = [];
  const needs = (stage) => (stage.needs ?? []).filter((need) => names.has(need));
  const isReady = (stage) =>
    !outcomes.has(stage.name) &&
    !running.has(stage.name) &&
    needs(stage).every((need) => outcomes.has(need));
  const taken = () => [...running.values()].reduce((sum, { room }) => sum + room, 0);

  const begin = (stage) => {
    const blocker = needs(stage).find((need) => outcomes.get(need).failed > 0);
    const print = new Print();
    prints.push({ name: stage.name, print });
    if (prints.length === 1) print.goLive();
    const work = stageOutput.run(print.write, () =>
      blocker === undefined ? run(stage) : Promise.resolve(notRun(stage, blocker)),
    );
    running.set(stage.name, { work, room: stage.room ?? USUAL });
  };

  const end = (outcome) => {
    outcomes.set(outcome.name, outcome);
    running.delete(outcome.name);
    // The oldest one that still runs prints live; those that have ended before it print all that they kept.
    while (prints.length > 0 && outcomes.has(prints[0].name)) {
      prints.shift();
      prints[0]?.print.goLive();
    }
  };

  while (outcomes.size < stages.length) {
    for (const stage of stages.filter(isReady)) {
      if (taken() + (stage.room ?? USUAL) <= width) begin(stage);
    }
    end(await Promise.race([...running.values()].map(({ work }) => work)));
  }
  return stages.map(({ name }) => outcomes.get(name));
}
