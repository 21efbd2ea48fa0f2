/** Runs a program of part-name.ts from its bundled text in the binary's assets. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { getAsset } from 'node:sea'
import { compileFunction } from 'node:vm'
import type { PartName } from './part-name.ts'

export const runPart = async (name: PartName): Promise<void> => {
  const module = { exports: {} }
  const run: unknown = compileFunction(
    getAsset(`${name}-part.js`, 'utf8'),
    ['require', 'module', 'exports', '__filename', '__dirname'],
    { filename: `${name}-part.js` },
  )
  if (typeof run !== 'function') throw new Error(`The part ${name} is damaged.`)
  const { execPath } = process
  // the arguments of a CommonJS module; the OCR engine reads its folder but does not use it
  run(createRequire(execPath), module, module.exports, execPath, dirname(execPath))
}
