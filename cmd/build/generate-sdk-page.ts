/** Writes docs/sdk.md from the exports of `@svc/sdk` and their comments; `--check` fails if it is stale. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../root.ts'
import { writeGenerated } from './write-generated.ts'

/** Entries of the package, with the files whose exports they contain. */
const ENTRIES: readonly (readonly [entry: string, text: string, files: readonly string[]])[] = [
  ['@svc/sdk', 'Types for actions and functions, and middleware.', ['mod']],
  ['@svc/sdk/testing', 'Runs a durable action in a test.', ['testing', 'testing-types']],
  [
    '@svc/sdk/client',
    'Calls the API with types of every operation.',
    ['client', 'call-options', 'api-error'],
  ],
  ['@svc/sdk/relay', 'Moves a certificate from a desktop to a phone.', ['relay']],
]

/** Declarations without code, by file. Types are shown as in the source, because the compiler changes their layout. */
const declarationsOf = (files: readonly string[]): ReadonlyMap<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-page-'))
  const flags = [
    '--ignoreConfig',
    '--outDir',
    folder,
    '--rootDir',
    ROOT,
    '--declaration',
    '--emitDeclarationOnly',
  ]
  const language = [
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--lib',
    'es2024,dom,dom.iterable,dom.asynciterable',
  ]
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  ]
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')]
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const sources = files.map((file) => join(ROOT, 'sdk', `${file}.ts`))
  try {
    execFileSync(process.execPath, [tsc, ...flags, ...language, ...strict, ...types, ...sources], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    return new Map(
      files.map((file) => [file, readFileSync(join(folder, 'sdk', `${file}.d.ts`), 'utf8')]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Declared = Readonly<{ kind: string; name: string; comment: string; text: string }>

const EXPORT =
  /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:declare )?(type|interface|class|const) (\w+)/gm

/** The exports of a text, in their order; each ends where its brackets close. */
const exportsIn = (source: string): readonly Declared[] =>
  [...source.matchAll(EXPORT)].map((match) => {
    const [whole, comment = '', kind = '', name = ''] = match
    const start = match.index + comment.length
    const rest = source.slice(start)
    const end = /\n(?=\n|\/\*\*|export |const |type |declare |import )/.exec(
      rest.slice(whole.length - comment.length),
    )
    const length = end === null ? rest.length : whole.length - comment.length + end.index
    return { kind, name, comment, text: rest.slice(0, length).trimEnd() }
  })

/** The text of a comment without its stars; example code is kept unchanged. */
const proseOf = (comment: string): string =>
  comment
    .replace(/^\/\*\*\s*/, '')
    .replace(/\s*\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/^@(\w+)/gm, '\n`@$1`')
    .replaceAll('<', '&lt;')
    .trim()

/** Undoes the compiler's layout: it indents by four spaces and ends lines with semicolons, and the sources do neither. */
const asWritten = (text: string): string =>
  text.replaceAll(/;$/gm, '').replaceAll(/^( {4})+/gm, (spaces) => spaces.slice(spaces.length / 2))

const files = ENTRIES.flatMap(([, , names]) => names)
const declarations = declarationsOf(files)

const sectionsOf = (file: string): readonly string[] => {
  const declared = exportsIn(declarations.get(file) ?? '')
  return exportsIn(readFileSync(join(ROOT, 'sdk', `${file}.ts`), 'utf8')).map(
    ({ kind, name, comment, text }) => {
      const isType = kind === 'type' || kind === 'interface'
      const found = declared.find((each) => each.name === name)?.text
      const shown = isType || found === undefined ? text : asWritten(found)
      return [`### ${name}`, proseOf(comment), `\`\`\`ts\n${shown}\n\`\`\``]
        .filter(Boolean)
        .join('\n\n')
    },
  )
}

const sections = ENTRIES.map(([entry, text, names]) =>
  [`## \`${entry}\``, text, ...names.flatMap(sectionsOf)].join('\n\n'),
)

writeGenerated(
  resolve(ROOT, 'docs/sdk.md'),
  `# The SDK

<!-- made by \`make generate\` from the exports of sdk/ -->

\`@svc/sdk\` has the types of what svc passes to your code. Type imports cost nothing: they are gone when the code is bundled.
A server has the package of its own version. The \`package.json\` that \`svc init\` writes names it, and \`npm install\` gets it for
your editor and tests; svc deploys its own. Without an npm registry, remove \`@types/node\` from \`package.json\` first: the package
needs no other. To install it in another project, or the new version after an upgrade of the server:

\`\`\`sh
npm install --save-dev http://127.0.0.1:3000/docs/svc-sdk-${packageJson.version}.tgz
node --test 'test/*.test.ts'                             # Node 22.18 or newer runs TypeScript
\`\`\`

${sections.join('\n\n')}
`,
)
