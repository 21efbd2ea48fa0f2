/** Turns the fragments of changes.d into the section of a release in CHANGELOG.md (keepachangelog.com 1.1.0). */

const KINDS = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'] as const
type Kind = (typeof KINDS)[number]

/** `name` is the name of the file, for example `flow-links.added.md`. */
export type Fragment = Readonly<{ name: string; text: string }>
export type Release = Readonly<{ version: string /** For example 2026-01-31. */; date: string }>

const UNRELEASED = '## [Unreleased]'
const FRAGMENT_NAME = /^[\w-]+\.(\w+)\.md$/

const titleOf = (kind: Kind): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

const kindOf = (name: string): Kind => {
  const kind = KINDS.find((each) => each === FRAGMENT_NAME.exec(name)?.[1])
  if (kind !== undefined) return kind
  throw new Error(
    `changes.d/${name} has no kind. Name it <what>.<kind>.md, with one of: ${KINDS.join(', ')}.`,
  )
}

/** Indents the lines after the first, so that they belong to the list item, and adapts relative links to the folder above. */
const toItem = (text: string): string =>
  `- ${text.trim().replaceAll('\n', '\n  ').replaceAll('](../', '](')}`

/** Splits an [Unreleased] section into its items by kind. @throws {Error} a text has no heading, or an unknown one */
const readSection = (section: string): ReadonlyMap<Kind, string> => {
  const [before = '', ...parts] = section.split(/^### /m)
  if (before.trim() !== '') {
    throw new Error('CHANGELOG.md has text under [Unreleased] that is under no heading.')
  }
  return new Map(
    parts.map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const kind = KINDS.find((each) => titleOf(each) === title.trim())
      if (kind === undefined) throw new Error(`CHANGELOG.md has an unknown heading: ${title}`)
      return [kind, lines.join('\n').trim()]
    }),
  )
}

/**
 * Moves the unreleased items under the heading of the release.
 * @returns the new text of CHANGELOG.md
 * @throws {Error} a fragment's name has no kind, nothing has changed, or the release already has a section
 */
export const releaseChangelog = (
  changelog: string,
  fragments: readonly Fragment[],
  { version, date }: Release,
): string => {
  if (changelog.includes(`## [${version}]`)) {
    throw new Error(`CHANGELOG.md has a section for ${version} already.`)
  }
  const [intro, rest] = changelog.split(UNRELEASED)
  if (intro === undefined || rest === undefined) {
    throw new Error(`CHANGELOG.md has no heading ${UNRELEASED}.`)
  }
  const next = rest.search(/^## /m)
  const [unreleased, older] =
    next === -1 ? [rest, ''] : [rest.slice(0, next), `\n${rest.slice(next)}`]
  const present = readSection(unreleased)
  const added = fragments.map(({ name, text }) => ({ kind: kindOf(name), item: toItem(text) }))
  const sections = KINDS.flatMap((kind) => {
    const items = [
      ...(present.has(kind) ? [present.get(kind)] : []),
      ...added.filter((each) => each.kind === kind).map(({ item }) => item),
    ]
    return items.length === 0 ? [] : [`### ${titleOf(kind)}\n\n${items.join('\n')}`]
  })
  if (sections.length === 0) throw new Error('Nothing has changed: changes.d is empty.')
  return `${intro}${UNRELEASED}\n\n## [${version}] - ${date}\n\n${sections.join('\n\n')}\n${older}`
}
