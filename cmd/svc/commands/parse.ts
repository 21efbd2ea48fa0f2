/** `svc parse registry <file>`: the registry parser on this machine, without a server, an account or a network. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { findMarks } from '#core/registry/document/find-marks.ts'
import { readCertificate } from '#service/parse-registry.ts'
import { parseArguments } from '../command-arguments.ts'
import { UsageError } from '../exit.ts'
import { drawOverlay } from '../parse/draw-overlay.ts'
import { printDocument } from '../parse/print-document.ts'
import { openPdfReader } from '../pdf-reader.ts'
import { printJson, printLine } from '../remote/print.ts'

const parseFlags = z.object({
  file: z.string(),
  json: z.boolean(),
  overlay: z.string().min(1, '--overlay needs the name of a PDF to write.').optional(),
})

const readFile = (file: string): Uint8Array => {
  try {
    return new Uint8Array(readFileSync(file))
  } catch (error) {
    throw new UsageError(`Cannot read ${file}. Name a PDF that this user may read.`, {
      cause: error,
    })
  }
}

type Reader = ReturnType<typeof openPdfReader>

const writeOverlay = async (reader: Reader, bytes: Uint8Array, to: string): Promise<void> => {
  const read = await reader.readContent([bytes])
  if (read.kind === 'failed') throw new Error(read.message)
  writeFileSync(to, await drawOverlay(bytes, findMarks(read.source)))
}

const registryCommand: CommandModule = {
  command: 'registry <file>',
  describe: 'A property registry certificate (등기사항증명서)',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'The PDF' })
      .option('json', { type: 'boolean', default: false, describe: 'Print the whole answer' })
      .option('overlay', {
        type: 'string',
        requiresArg: true,
        describe: 'Write the PDF with rows, cells and strikes drawn over it',
      })
      .example('$0 parse registry deed.pdf --overlay seen.pdf', 'shows why a field is what it is'),
  handler: async (flags) => {
    const { file, json, overlay } = parseArguments(parseFlags, flags)
    const bytes = readFile(file)
    const reader = openPdfReader()
    try {
      const answer = await readCertificate({ pdf: reader, now: Date.now }, [bytes])
      if (overlay !== undefined) await writeOverlay(reader, bytes, overlay)
      if (json) printJson(answer)
      else {
        printDocument(answer.data, answer.confidence)
        if (overlay !== undefined) printLine(`\nDrawn over the pages: ${overlay}`)
      }
    } finally {
      reader.close()
    }
  },
}

export const parseCommand: CommandModule = {
  command: 'parse <command>',
  describe: 'Read a document on this machine',
  builder: (yargs) => yargs.command(registryCommand).demandCommand(1, 'Which kind? registry'),
  handler: () => undefined,
}
