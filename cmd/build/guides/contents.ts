/** The contents of the guides, in the order of their menu. A page that is in no section is listed under "More". */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export type Source = Readonly<{
  /** Path in the repository. */
  path: string
  /** Below /docs/, without `.html`. */
  slug: string
  title: string
  markdown: string
}>

export type Section = Readonly<{ title: string; sources: readonly Source[] }>

/** Names in docs/, without `.md`. */
const SECTIONS: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'Start',
    [
      'guides/start',
      'guides/concepts',
      'guides/coming-from',
      'guides/faq',
      'guides/troubleshooting',
    ],
  ],
  [
    'Uses',
    [
      'guides/cron-etl',
      'guides/stripe-webhook',
      'guides/approval',
      'guides/agent-loop',
      'guides/pdf-certificate',
      'guides/fan-out',
      'guides/public-form',
      'guides/http-function',
      'guides/durable-order',
    ],
  ],
  [
    'Build',
    [
      'manifest',
      'cli',
      'sdk',
      'flows',
      'durable',
      'failure',
      'functions',
      'packages',
      'events',
      'webhooks',
      'flow-control',
      'notifications',
      'agents',
      'git-push',
      'console',
      'access',
    ],
  ],
  ['Certificates', ['parser', 'workflows', 'relay', 'registry-quality']],
  [
    'Operate',
    [
      'operating',
      'scale',
      'observability',
      'security',
      'limits',
      'errors',
      'reliability',
      'performance',
      'benchmarks',
    ],
  ],
]

const PROJECT: readonly string[] = ['architecture', 'state-machines', 'glossary', 'dependencies']

/** Files of an example that its page shows, in this order. */
const SHOWN_FILES = [
  'app.yaml',
  'actions/**/*.ts',
  'functions/**/*.{ts,yaml}',
  'lib/**/*.ts',
  'test/**/*.ts',
]

const LANGUAGES: Readonly<Record<string, string>> = { ts: 'ts', yaml: 'yaml', json: 'json' }

const titleOf = (markdown: string, path: string): string => {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? []
  if (title === undefined) throw new Error(`${path} has no line that begins with "# ".`)
  return title.replaceAll('`', '')
}

const fenced = (text: string, language: string): string =>
  `\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`

/** Appends the files of an example to its README, so that the reader needs no copy of the repository. */
const withFiles = (root: string, folder: string, markdown: string): string => {
  const files = SHOWN_FILES.flatMap((pattern) =>
    globSync(pattern, { cwd: join(root, folder) }).toSorted(),
  )
  const parts = files.map((file) => {
    const language = LANGUAGES[file.split('.').at(-1) ?? ''] ?? 'text'
    return `### ${file}\n\n${fenced(readFileSync(join(root, folder, file), 'utf8'), language)}`
  })
  return `${markdown.trimEnd()}\n\n## Files\n\n${parts.join('\n')}`
}

const toSource = (root: string, path: string, slug: string): Source => {
  const text = readFileSync(join(root, path), 'utf8')
  const markdown =
    dirname(dirname(path)) === 'examples' ? withFiles(root, dirname(path), text) : text
  return { path, slug, title: titleOf(text, path), markdown }
}

/** @param root of the repository @returns all pages; sections without a page are omitted */
export const readContents = (root: string): readonly Section[] => {
  const doc = (name: string): Source => toSource(root, `docs/${name}.md`, name)
  const inFolder = (folder: string): readonly Source[] =>
    globSync(`docs/${folder}/*.md`, { cwd: root })
      .toSorted()
      .map((path) => doc(`${folder}/${basename(path, '.md')}`))
  const named = new Set([...SECTIONS.flatMap(([, names]) => names), ...PROJECT])
  const others = globSync(['docs/*.md', 'docs/guides/*.md'], { cwd: root })
    .map((path) => path.slice('docs/'.length, -'.md'.length))
    .filter((name) => !named.has(name))
    .toSorted()
  const examples = globSync('examples/*/README.md', { cwd: root })
    .toSorted()
    .map((path) => toSource(root, path, dirname(path)))
  const ofProject = ['CHANGELOG', 'SECURITY', 'CONTRIBUTING', 'AGENTS']
    .filter((name) => existsSync(join(root, `${name}.md`)))
    .map((name) => toSource(root, `${name}.md`, `project/${name.toLowerCase()}`))
  const sections: readonly Section[] = [
    ...SECTIONS.map(([title, names]) => ({ title, sources: names.map(doc) })),
    { title: 'More', sources: others.map(doc) },
    { title: 'API', sources: inFolder('api') },
    { title: 'Rules', sources: inFolder('reference') },
    { title: 'Examples', sources: examples },
    { title: 'Project', sources: [...PROJECT.map(doc), ...inFolder('checklists'), ...ofProject] },
  ]
  return sections.filter(({ sources }) => sources.length > 0)
}
