/** Writes the copyright file of the Debian package (Debian Policy 12.5) in the machine-readable format 1.0. */
import { type Component, type Notices, notListed, OWN_LICENSE } from '../svc/license-notices.ts'

/** A line that names a holder of copyright, and not one of the terms about copyright. */
const HOLDER = /^\W*(?:Copyright: )?(?:(?:Copyright|©)\s+(?:\([cC]\)|©|\d|[A-Z])|\([cC]\)\s+\d)/
const MOST_HOLDERS = 20

/** Continues a field over lines: each begins with a space, and an empty one is a dot. */
const field = (name: string, first: string, lines: readonly string[] = []): string =>
  [`${name}: ${first}`.trimEnd(), ...lines.map((line) => (line === '' ? ' .' : ` ${line}`))].join(
    '\n',
  )

const holdersOf = (lines: readonly string[]): readonly string[] => {
  const holders = lines
    .filter((line) => HOLDER.test(line))
    .map((line) => line.replace(/^[\s*#%/-]+(?:Copyright: )?/, '').trim())
  return [...new Set(holders)].slice(0, MOST_HOLDERS)
}

/** The format joins the names of licences by words in lower case. */
const toDebianName = (license: string): string =>
  license.replaceAll(/[()]/g, '').replaceAll(/ (?:AND|OR|WITH) /g, (word) => word.toLowerCase())

const stanzaOf = (components: readonly Component[], text: string, license: string): string => {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const holders = holdersOf(lines)
  return [
    field('Files', '', [...new Set(components.map(({ name }) => `node_modules/${name}/*`))]),
    field('Copyright', '', holders.length === 0 ? ['the authors whom the licence names'] : holders),
    field('License', toDebianName(license), lines),
  ].join('\n')
}

/** Returns the file. Components with the same licence and the same texts share a stanza. */
export const debianCopyright = (notices: Notices): string => {
  const { components, texts } = notices
  const groups = Map.groupBy(components, (each) => `${each.license} ${each.texts.join()}`)
  const stanzas = [...groups.values()].flatMap((group): readonly string[] => {
    const [first] = group
    if (first === undefined) return []
    const text = first.texts.map((index) => texts[index]).join('\n\n')
    return [stanzaOf(group, text, first.license)]
  })
  const missing = notListed(notices)
  const header = [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: svc',
    ...(missing.length === 0 ? [] : [field('Comment', '', missing)]),
  ]
  return `${[
    header.join('\n'),
    `Files: *\nCopyright: the authors of svc\nLicense: ${OWN_LICENSE}\n All rights reserved. The packages that svc contains have the licences below.`,
    ...stanzas,
  ].join('\n\n')}\n`
}
