/** Of a property test: `LEVELSCOPE_EFFORT=4` runs four times as many cases, `LEVELSCOPE_SEED` begins elsewhere. */
export const RUNS = {
  numRuns: 50 * Number(process.env.LEVELSCOPE_EFFORT ?? 1),
  seed: Number(process.env.LEVELSCOPE_SEED ?? 1),
};
