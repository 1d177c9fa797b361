// A visitor of the built page, for scripts that take pictures or measure.

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
    /** Drops files with their directories' names on the page. */
    async drop(files) {
      const transfer = await page.evaluateHandle((files) => {
        const transfer = new DataTransfer();
        for (const { name, bytes } of files) {
          transfer.items.add(new File([Uint8Array.from(bytes)], name));
        }
        return transfer;
      }, files);
      const target = page.locator('.app');
      for (const event of ['dragenter', 'dragover', 'drop']) {
        await target.dispatchEvent(event, { dataTransfer: transfer });
      }
    },
    tab: (name) => page.getByRole('tab', { name, exact: true }).click(),
    option: (name) => page.getByRole('option', { name }).last(),
  };
}
