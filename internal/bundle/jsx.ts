/** Chooses how a file's JSX becomes calls. Pure. */

/** The file has what creates its elements: `React`, but not its types alone, or the function that a comment names. */
const HAS_FACTORY = /@jsx\s|(?:\bimport|,|\b(?:const|let|var)|\bas(?<!\btype\s+\*\s+as))\s+React\b/
const CHOOSES = /@jsx(?:Runtime|ImportSource)\s/

/**
 * The bundler imports what creates elements, as TypeScript does with `"jsx": "react-jsx"`. This keeps the older way for files
 * that were written for it. It appends the choice, so that the lines of the file keep their numbers.
 */
export const withJsxRuntime = (source: string): string =>
  HAS_FACTORY.test(source) && !CHOOSES.test(source)
    ? `${source}\n/* @jsxRuntime classic */`
    : source
