/** `svc parse registry <file>`: reads a certificate here, without a server and without a charge. */
import { readFile } from 'node:fs/promises'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import type { ParserResponse } from '#core/registry/document.ts'
import { readCertificate } from '#service/parse-registry.ts'
import { parseArguments } from '../command-arguments.ts'
import { openPdfReader } from '../pdf-reader.ts'
import { describeCertificate } from '../registry-summary.ts'
import { printJson } from '../remote/print.ts'

const argumentsSchema = z.object({ file: z.string(), json: z.boolean() })

const unreadable = (file: string, cause: unknown): AppError =>
  new AppError('not_found', `${file} cannot be read. Is the path right?`, { cause })

const readBytes = async (file: string): Promise<Uint8Array> => {
  try {
    return await readFile(file)
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

const parse = async (file: string): Promise<ParserResponse> => {
  const bytes = await readBytes(file)
  const pdf = openPdfReader({ atOnce: 1 })
  try {
    return await readCertificate({ pdf, now: Date.now }, [bytes])
  } finally {
    pdf.close()
  }
}

const registryCommand: CommandModule = {
  command: 'registry <file>',
  describe: 'Read a property registry certificate (PDF)',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'The PDF' })
      .option('json', { type: 'boolean', default: false, describe: 'Print what the API answers' })
      .example('$0 parse registry certificate.pdf', 'Shows what stands in it')
      .example('$0 parse registry certificate.pdf --json > certificate.json', ''),
  handler: async (flags) => {
    const { file, json } = parseArguments(argumentsSchema, flags)
    const response = await parse(file)
    if (json) printJson(response)
    else describeCertificate(response)
  },
}

export const parseCommand: CommandModule = {
  command: 'parse <command>',
  describe: 'Read documents here, without a server',
  builder: (yargs) => yargs.command(registryCommand).demandCommand(1, 'Which one? registry'),
  handler: () => undefined,
}
