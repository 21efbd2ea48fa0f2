/** `svc licenses`: prints what svc contains, with licences and their texts. It reads nothing outside the program. */
import process from 'node:process'
import { brotliDecompressSync } from 'node:zlib'
import { readLicenses } from '#platform/served-files.ts'
import { addUsage, type Command } from '../command.ts'
import {
  type Component,
  type Notices,
  noticesText,
  notListed,
  OWN_LICENSE,
  OWN_NOTICE,
} from '../license-notices.ts'
import { type Columns, jsonOption, printAnswer, printLine, printTable } from '../print.ts'

const COLUMNS: Columns<Component> = {
  COMPONENT: ({ name }) => name,
  VERSION: ({ version }) => version,
  LICENCE: ({ license }) => license,
}

const readNotices = (): Notices => {
  const packed = readLicenses()
  if (packed === null) {
    throw new Error(
      'svc runs from source here, and only the binary has the list: make build, then dist/svc licenses.',
    )
  }
  return JSON.parse(brotliDecompressSync(packed).toString('utf8'))
}

const printSummary = (notices: Notices): void => {
  printLine(`${OWN_NOTICE} --full prints the texts.\n`)
  printTable(COLUMNS, notices.components)
  printLine(['', ...notListed(notices)].join('\n'))
}

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      flags: {
        full: { type: 'boolean', default: false, describe: 'Print the texts of the licences' },
        json: jsonOption,
      },
      examples: [
        ['$0 licenses --full | less', 'To read the texts'],
        [
          "$0 licenses --json | jq -r '.components[].license' | sort | uniq -c",
          'To count the licences',
        ],
      ],
    }),
  handler: (flags) => {
    const notices = readNotices()
    const { components, texts } = notices
    const json = {
      license: OWN_LICENSE,
      components: components.map(({ texts: at, ...each }) =>
        flags.full === true ? { ...each, texts: at.map((index) => texts[index]) } : each,
      ),
    }
    printAnswer(flags, json, () => {
      if (flags.full === true) process.stdout.write(noticesText(notices))
      else printSummary(notices)
    })
  },
}
