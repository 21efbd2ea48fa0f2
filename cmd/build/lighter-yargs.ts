/**
 * Patches yargs for the binary. The package that measures the width of words reads Unicode's tables when it loads, which
 * takes 30 ms of CPU, more than the rest of `svc --version`. Here it reads each table at its first use. Also, yargs renders
 * the help of each command that it runs, in case of a failure; svc reports failures with a message instead (command-line.ts).
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

const WIDTHS = /node_modules\/string-width\/index\.js$/
const COMMANDS = /node_modules\/yargs\/build\/lib\/command\.js$/
const WRITE_HELP = 'yargs.getInternalMethods().getUsageInstance().cacheHelpMessage();'
const SEGMENTER = 'const segmenter = new Intl.Segmenter();'
const EXPRESSION_OF_TABLE = /^const (\w+) = (\/.*\\p\{.*\/[a-z]+);$/gm

const LATE = `
const late = (make) => {
  let made;
  return () => (made ??= make());
};
const lateSegmenter = late(() => new Intl.Segmenter());
const segmenter = { segment: (text) => lateSegmenter().segment(text) };
const lateExpression = (make) => {
  const made = late(make);
  return {
    test: (text) => made().test(text),
    [Symbol.search]: (text) => text.search(made()),
    [Symbol.match]: (text) => text.match(made()),
  };
};
`

/** @throws {Error} the package's source has changed */
export const withLateTables = (source: string): string => {
  const segmenting = source.replace(SEGMENTER, LATE)
  const patched = segmenting.replaceAll(
    EXPRESSION_OF_TABLE,
    (_, name, expression) => `const ${name} = lateExpression(() => ${expression});`,
  )
  if (segmenting === source || patched === segmenting) {
    throw new Error('string-width has changed. Update its patch in cmd/build/lighter-yargs.ts.')
  }
  return patched
}

/** @throws {Error} the package's source has changed */
export const withoutWrittenHelp = (source: string): string => {
  const patched = source.replace(WRITE_HELP, '')
  if (patched === source) {
    throw new Error('yargs has changed. Update its patch in cmd/build/lighter-yargs.ts.')
  }
  return patched
}

/** The esbuild plugin that applies both patches. */
export const lighterYargs: Plugin = {
  name: 'lighter-yargs',
  setup: (build) => {
    build.onLoad({ filter: WIDTHS }, ({ path }) => ({
      contents: withLateTables(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
    build.onLoad({ filter: COMMANDS }, ({ path }) => ({
      contents: withoutWrittenHelp(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
  },
}
