/**
 * Finds texts that were meant as references and are not: `input.order` without braces, and `{{ input.order }}` of other systems.
 * Such a text is passed on as it is, so that nothing fails where the mistake is. Pure.
 */
import { PATH, type PathStep, parsePath } from './value-path.ts'

export type MeantReference = Readonly<{
  /** As it is written. */
  typed: string
  root: string
  path: readonly PathStep[]
  /** Whether it has the braces of another system, which no other text has. */
  isBraced: boolean
}>

const BARE = new RegExp(String.raw`^\s*([A-Za-z_]\w*)(${PATH})\s*$`, 'u')
const BRACED = new RegExp(String.raw`\{\{\s*([A-Za-z_]\w*)(${PATH})\s*\}\}`, 'u')

/** @param roots what a reference may begin with; a name alone, such as `input`, is an ordinary word */
export const meantReference = (text: string, roots: readonly string[]): MeantReference | null => {
  const braced = BRACED.exec(text)
  const [typed = '', root = '', pathText = ''] = braced ?? BARE.exec(text) ?? []
  const path = parsePath(pathText)
  const isMeant = roots.includes(root) && path !== null && (braced !== null || path.length > 0)
  return isMeant ? { typed: typed.trim(), root, path, isBraced: braced !== null } : null
}

/** Returns the sentence of a warning. */
export const explainMeant = ({ typed }: MeantReference): string => {
  const reference = typed.replace(/^\{\{\s*|\s*\}\}$/g, '')
  return `${typed} is not a reference. Did you mean \${${reference}}?`
}
