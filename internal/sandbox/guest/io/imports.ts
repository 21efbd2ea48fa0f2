/** Which built-in modules the code of a bundle imports. The guest changes some of them, and loading each takes milliseconds. */

const CALLED_WITH_TEXT = '(?:\\?\\.)?\\s*\\(\\s*["\']'
/**
 * Code that may load a module by a name that is known only at run time: by the bundler's `require` (bundle/system-modules.ts), by
 * that of Node, or by a call that does not begin with text.
 */
const LOADS_LATER = new RegExp(
  `svcRequire|\\bcreateRequire\\b|\\bimport\\s*\\((?!\\s*["'])|\\bgetBuiltinModule\\b(?!${CALLED_WITH_TEXT})`,
)

/**
 * Creates a test of code for imports of some modules. If the code may load a computed name, any text with the name counts.
 * @param names as in an expression, such as `fs|fs/promises`
 */
export const importsOf = (names: string): ((code: string) => boolean) => {
  const text = `["'](?:node:)?(?:${names})["']`
  const named = new RegExp(text)
  const imported = new RegExp(
    `\\b(?:from|import|require|getBuiltinModule)(?:\\?\\.)?\\s*\\(?\\s*${text}`,
  )
  return (code) => named.test(code) && (imported.test(code) || LOADS_LATER.test(code))
}
