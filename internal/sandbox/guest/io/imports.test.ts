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
  'const load = (name) => globalThis.process.getBuiltinModule(name); load("fs")',
  'const { getBuiltinModule: load } = process; load("fs")',
  'process["getBuiltinModule"]("fs")',
  'const load = (name) => import(name); load("node:fs")',
  'await import(/* @vite-ignore */ "node:fs")',
  'const load = process.getBuiltinModule("module").createRequire("/a.js"); load("fs")',
])('%s is an import', (code) => {
  expect(importsFiles(code)).toBe(true)
})

test.each([
  'const builtins = ["assert", "fs", "path"]',
  'const isFiles = (name) => name === "fs"',
  'import path from "node:path"; log("fs")',
  'const fs = {}; export { fs }',
  'const isFiles = (name) => name === "fs"; await import("node:path"); process.getBuiltinModule?.("path")',
  `${REQUIRE_PRELUDE}require("path")`,
])('%s is none', (code) => {
  expect(importsFiles(code)).toBe(false)
})
