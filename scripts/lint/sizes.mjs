// Files and functions are short enough to be read at once. Clippy counts the lines of Rust's functions.

import { isTest, lineCount, parsed, visitAll } from './source.mjs';

const FILE_MAX = 400;
const FUNCTION_MAX = 70;

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Files that are too long. Documents are read from heading to heading. */
export function longFiles(files) {
  return files
    .filter(({ name, text }) => !name.endsWith('.md') && lineCount(text) > FILE_MAX)
    .map(({ name, text }) => ({
      key: name,
      size: lineCount(text),
      message: `${name} has ${lineCount(text)} lines; ${FILE_MAX} are the most`,
    }));
}

/** Functions that are too long. In tests a function is a list of tests. */
export function longFunctions(files) {
  return files.flatMap((file) => {
    if (!/\.(ts|tsx|mts|mjs)$/.test(file.name) || isTest(file.name)) return [];
    const { program, lineOf } = parsed(file);
    const found = [];
    visitAll(program, FUNCTIONS, (node) => {
      const size = lineOf(node.end) - lineOf(node.start) + 1;
      if (size <= FUNCTION_MAX) return;
      const name = node.id?.name ?? `the function in line ${lineOf(node.start)}`;
      const message = `${file.name}: ${name} has ${size} lines; ${FUNCTION_MAX} are the most`;
      found.push({ key: `${file.name} ${node.id?.name ?? ''}`.trim(), size, message });
    });
    return found;
  });
}
