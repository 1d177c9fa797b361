/** For `vi.waitFor`: only a wait for what never comes may fail, however slow the machine is. */
export const inTime = { timeout: 60_000 };
