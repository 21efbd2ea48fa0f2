import { expect, test } from 'vitest'
import { REQUIRE_PRELUDE } from '#bundle/system-modules.ts'
import { importsOf } from './imports.ts'

const importsFiles = importsOf('fs|fs/promises')

test.each([
  'import fs from "node:fs"',
  "import{readFile}from'fs/promises';",
  'export * from "fs"',
  'import "node:fs"',
  'await import("node:fs")',
  'module.exports = process.getBuiltinModule("node:fs")',
  'const fs = process.getBuiltinModule?.("fs")',
  'var fs = require( "fs" )',
  `${REQUIRE_PRELUDE}var load = require; ["fs"].map((name) => load(name))`,
])('%s is an import', (code) => {
  expect(importsFiles(code)).toBe(true)
})

test.each([
  'const builtins = ["assert", "fs", "path"]',
  'const isFiles = (name) => name === "fs"',
  'import path from "node:path"; log("fs")',
  'const fs = {}; export { fs }',
  `${REQUIRE_PRELUDE}require("path")`,
])('%s is none', (code) => {
  expect(importsFiles(code)).toBe(false)
})
