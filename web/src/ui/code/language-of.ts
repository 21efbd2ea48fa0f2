/** The editor language of a file, by its name. Pure. */
import type { CodeEditorProps } from './code-mirror.tsx'

export const languageOf = (path: string): CodeEditorProps['language'] => {
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'typescript'
  if (/\.ya?ml$/.test(path)) return 'yaml'
  return path.endsWith('.json') ? 'json' : 'plain'
}
