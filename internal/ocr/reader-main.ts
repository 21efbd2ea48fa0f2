/**
 * Program of a process that reads scans, which is a PDF reader with OCR. Its arguments name the engine
 * and the Korean data. It ends when its host closes the pipe, or when it detects an error.
 */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { runReader } from '#pdf/reader-loop.ts'
import { type OcrEngine, openOcrEngine } from './engine.ts'
import { readScan } from './read-scan.ts'

let engine: Promise<OcrEngine> | null = null

const openEngine = async (): Promise<OcrEngine> => {
  const [wasm = '', korean = ''] = process.argv.slice(-2)
  const [program, data] = await Promise.all([readFile(wasm), readFile(korean)])
  return openOcrEngine({ wasm: new Uint8Array(program), korean: data })
}

const oneEngine = (): Promise<OcrEngine> => {
  engine ??= openEngine()
  return engine
}

void runReader(process.stdin, process.stdout, (bytes, options, bounds, listeners) =>
  readScan(oneEngine, bytes, { ...options, ...listeners }, bounds),
)
