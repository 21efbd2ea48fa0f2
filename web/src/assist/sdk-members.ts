/**
 * The members of `ctx`, parsed from the SDK's source text. A language service would be 900 kB compressed, and would parse
 * the same text. The layout is that of the formatter. Pure.
 */

export type SdkMember = Readonly<{
  name: string
  type: string
  text: string
  /** The members of an object type that is written inline, such as `ctx.state`. */
  members: readonly SdkMember[]
}>

const bodyOf = (source: string, name: string): readonly string[] => {
  const lines = source.split('\n')
  const first = lines.findIndex((line) => line.startsWith(`export type ${name}`))
  if (first === -1) return []
  const rest = lines.slice(first + 1)
  return rest.slice(
    0,
    rest.findIndex((line) => /^\S/.test(line)),
  )
}

/** Removes the comment marks. Parameters stay on separate lines. */
const textOf = (comment: readonly string[]): string =>
  comment
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*)? ?/, '').replace(/\s*\*\/$/, ''))
    .join('\n')
    .trim()

const typeOf = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .join(' ')
    .replace(/^(?:readonly )?\w+\??: /, '')
    .replaceAll(/([(<{]) | ([)>}])/g, '$1$2')
    .replaceAll(/,([)>])/g, '$1')

const membersAt = (lines: readonly string[], indent: number): readonly SdkMember[] => {
  const found: SdkMember[] = []
  const isOwn = (line: string): boolean => line.search(/\S/) === indent
  let comment: readonly string[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const rest = lines.slice(at + 1)
    if (isOwn(line) && line.trim().startsWith('/**')) {
      const length = line.includes('*/') ? 1 : rest.findIndex((each) => each.includes('*/')) + 2
      comment = lines.slice(at, at + length)
      at += length
      continue
    }
    const name = isOwn(line) ? /^\s*(?:readonly )?(\w+)\??:/.exec(line)?.[1] : undefined
    if (name === undefined) {
      at += 1
      continue
    }
    const next = rest.findIndex((each) => isOwn(each) && !/^\s*[)}]/.test(each))
    const own = lines.slice(at, next === -1 ? lines.length : at + 1 + next)
    const isObject = /: Readonly<\{$/.test(line)
    found.push({
      name,
      type: isObject ? 'object' : typeOf(own),
      text: textOf(comment),
      members: isObject ? membersAt(own.slice(1, -1), indent + 2) : [],
    })
    comment = []
    at += own.length
  }
  return found
}

const INDENT = 2

/** @param source of `@svc/sdk` @param types whose members are joined, such as `ActionContext` */
export const sdkMembers = (source: string, types: readonly string[]): readonly SdkMember[] =>
  types.flatMap((name) => membersAt(bodyOf(source, name), INDENT))

/** All types that make up the context of an action. */
export const ACTION_TYPES = ['ActionContext', 'DurableSteps', 'Starts', 'Traced'] as const
