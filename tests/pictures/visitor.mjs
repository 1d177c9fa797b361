// A visitor of the built page, for what takes pictures or measures.

/** Types, presses keys, waits for the answer. */
export function visitor(page) {
  const prompt = () =>
    page.waitForFunction(() => {
      const rows = [...document.querySelectorAll('.xterm-rows > div')];
      const texts = rows.map((row) => row.textContent.replaceAll('\u00a0', ' ').trimEnd());
      return texts.findLast((text) => text !== '') === 'lsm>';
    });
  const type = async (line) => {
    await page.getByRole('textbox', { name: /^Command line/ }).focus();
    await page.keyboard.insertText(line);
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
  };
  return {
    page,
    prompt,
    type,
    async run(line) {
      await type(line);
      await prompt();
    },
    async key(key) {
      // Single keys belong to whatever is typed in.
      if (key.length === 1) await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press(key);
    },
    tab: (name) => page.getByRole('tab', { name, exact: true }).click(),
    option: (name) => page.getByRole('option', { name }).last(),
  };
}
