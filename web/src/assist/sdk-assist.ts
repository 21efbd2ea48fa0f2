/** Completion and explanation of `ctx` in an action's code. Pure. */
import type { CodeAssist } from '../ui/code/code-assist.ts'
import type { SdkMember } from './sdk-members.ts'

const membersOf = (root: readonly SdkMember[], path: readonly string[]): readonly SdkMember[] =>
  path.reduce((members, name) => members.find((each) => each.name === name)?.members ?? [], root)

const pathOf = (dotted: string): readonly string[] =>
  dotted.split('.').filter((name) => name !== '')

export const sdkAssist = (root: readonly SdkMember[]): CodeAssist => ({
  suggest: (text, at) => {
    const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
    const [, dotted = '', word = ''] = /\bctx((?:\.\w+)*)\.(\w*)$/.exec(line) ?? []
    if (!/\bctx(?:\.\w+)*\.\w*$/.test(line)) return null
    const options = membersOf(root, pathOf(dotted)).map(({ name, type, text: info }) => ({
      label: name,
      kind: type.includes('=>') ? ('method' as const) : ('property' as const),
      detail: type,
      ...(info === '' ? {} : { info }),
    }))
    return { from: at - word.length, options }
  },
  explain: (text, at) => {
    const rest = text.slice(at).search(/\W/)
    const to = rest === -1 ? text.length : at + rest
    const line = text.slice(text.lastIndexOf('\n', to - 1) + 1, to)
    const [, dotted = '', word = ''] = /\bctx((?:\.\w+)*)\.(\w+)$/.exec(line) ?? []
    const found = membersOf(root, pathOf(dotted)).find(({ name }) => name === word)
    if (found === undefined) return null
    return { from: to - word.length, to, title: `${word}: ${found.type}`, text: found.text }
  },
})
