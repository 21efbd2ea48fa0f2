/** `svc parse registry <file>`: reads a certificate on this machine, without a server and without a charge. */
import { readFile, writeFile } from 'node:fs/promises'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { unprocessable } from '#core/error.ts'
import { openPdfReader } from '#node/pdf-reader.ts'
import { drawOverlay } from '#pdf/draw-overlay.ts'
import type { OnPage } from '#pdf/protocol.ts'
import type { PdfReader } from '#pdf/reader-pool.ts'
import { findMarks } from '#registry/reader/find-marks.ts'
import type { ParserResponse } from '#registry/schema/document.ts'
import { readCertificate } from '#service/registry/parse-registry.ts'
import { commandGroup } from '../command.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { describeCertificate } from '../describe-certificate.ts'
import { namedFile } from '../named-file.ts'
import { jsonOption, printAnswer, printLine, showProgress } from '../print.ts'
import { showBar } from '../progress-bar.ts'

const argumentsSchema = z.object({
  file: z.string(),
  overlay: z.string().min(1, '--overlay needs the name of a PDF to write.').optional(),
})

const writeOverlay = async (pdf: PdfReader, bytes: Uint8Array, to: string): Promise<void> => {
  const read = await pdf.readContent([bytes])
  if (read.kind === 'failed') throw unprocessable(read.message)
  await writeFile(to, await drawOverlay(bytes, findMarks(read.source)))
}

const parse = async (file: string, overlay: string | undefined): Promise<ParserResponse> => {
  const bytes = await readFile(namedFile(file))
  const pdf = openPdfReader({ atOnce: 1 })
  try {
    const onPage: OnPage = ({ page, pages }) => showBar(page, pages)
    const response = await readCertificate({ pdf, now: Date.now }, [bytes], { onPage })
    if (overlay !== undefined) await writeOverlay(pdf, bytes, overlay)
    return response
  } finally {
    showProgress('')
    pdf.close()
  }
}

const registryCommand: CommandModule = {
  command: 'registry <file>',
  describe: 'Read a property registry certificate (PDF)',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'PDF file' })
      .option('json', { ...jsonOption, describe: 'Print the response of the API' })
      .option(
        'overlay',
        textOption('Write a copy of the PDF that marks rows, cells and strikethroughs'),
      )
      .example('$0 parse registry certificate.pdf', 'Print its content')
      .example('$0 parse registry certificate.pdf --json > certificate.json', '')
      .example('$0 parse registry certificate.pdf --overlay seen.pdf', ''),
  handler: async (flags) => {
    const { file, overlay } = parseArguments(argumentsSchema, flags)
    const response = await parse(file, overlay)
    printAnswer(flags, response, () => {
      describeCertificate(response)
      if (overlay !== undefined) printLine(`\nWrote ${overlay}.`)
    })
  },
}

export const command = commandGroup([registryCommand])
