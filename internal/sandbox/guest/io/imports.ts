/** Which built-in modules the code of a bundle imports. The guest changes some of them, and loading each takes milliseconds. */

/** The bundler's `require` for names that are known only at run time (bundle/system-modules.ts). */
const REQUIRES_LATER = 'svcRequire'

/**
 * Creates a test of code for imports of some modules. If the code may require a computed name, any text with the name counts.
 * @param names as in an expression, such as `fs|fs/promises`
 */
export const importsOf = (names: string): ((code: string) => boolean) => {
  const text = `["'](?:node:)?(?:${names})["']`
  const named = new RegExp(text)
  const imported = new RegExp(
    `\\b(?:from|import|require|getBuiltinModule)(?:\\?\\.)?\\s*\\(?\\s*${text}`,
  )
  return (code) => (code.includes(REQUIRES_LATER) ? named : imported).test(code)
}
