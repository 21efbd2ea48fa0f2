/**
 * Host names of apps [functions 8]: svc's own names cannot be taken, an admin of a workspace proves a name
 * by a TXT record, and a name leads to one app.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '#store/sql.ts'
import { listAudit } from '../support/audit.ts'
import { type TestApp, WS } from '../support/create-test-app.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { createFunctionApp, type FunctionApp } from '../support/function-app.ts'
import { createTenant, type Tenant } from '../support/tenant.ts'

const HOST = 'api.shop.example'
const BASE_URL = 'https://svc.example.com:8443'

const OWN = [
  'svc.example.com',
  'SVC.Example.com',
  'svc.example.com.',
  'svc.example.com:8443',
  'localhost',
  'apps.test',
  'shop.apps.test',
  'a.b.apps.test',
]

const hostShape = z.strictObject({
  host: z.string(),
  status: z.enum(['pending', 'active']),
  txt_name: z.string(),
  txt_value: z.string(),
})
const appShape = z.looseObject({ hosts: z.array(hostShape) })

let dns: DnsServer
let functions: FunctionApp
let app: TestApp
let acme: Tenant
let rival: Tenant
let operator: Tenant
beforeEach(async () => {
  dns = await startDnsServer()
  functions = await createFunctionApp({ baseUrl: BASE_URL, dnsServers: [dns.address] })
  app = functions.app
  acme = await createTenant(app, 'acme')
  rival = await createTenant(app, 'rival')
  operator = { ws: WS, token: functions.token }
  for (const tenant of [acme, rival, operator]) await makeApp(tenant, 'shop')
})
afterEach(async () => {
  await functions.close()
  await dns.close()
})

const makeApp = async ({ ws, token }: Tenant, key: string): Promise<void> => {
  await app.call('POST', `/api/w/${ws}/apps`, { token, json: { key, name: key } })
  const source = { 'functions/who/index.ts': `export default () => '${ws}/${key}'` }
  await functions.deploy(source, `/api/w/${ws}/apps/${key}/functions`, token)
}

const pathOf = ({ ws }: Tenant, key = 'shop'): string => `/api/w/${ws}/apps/${key}`
const set = (tenant: Tenant, hosts: readonly string[], key = 'shop') =>
  app.call('PATCH', pathOf(tenant, key), { token: tenant.token, json: { hosts } })
const hostsOf = async (tenant: Tenant, key = 'shop') => {
  const { json } = await app.call('GET', pathOf(tenant, key), { token: tenant.token })
  return appShape.parse(json).hosts
}
const verify = (tenant: Tenant, host = HOST, key = 'shop') =>
  app.call('POST', `${pathOf(tenant, key)}/hosts/${host}/verify`, { token: tenant.token })
const at = async (host: string, path = '/who') =>
  (await app.call('GET', path, { headers: { host } })).text

/** Publishes the TXT record that svc asks for, as the owner of the name would. */
const publish = async (tenant: Tenant, host = HOST): Promise<void> => {
  const found = (await hostsOf(tenant)).find((each) => each.host === host)
  if (found === undefined) throw new Error(`${host} was not set.`)
  dns.records.set(found.txt_name, [...(dns.records.get(found.txt_name) ?? []), found.txt_value])
}

describe('svc’s own hosts', () => {
  it('cannot be set without the admin role', async () => {
    for (const host of OWN) {
      for (const tenant of [acme, operator]) {
        expect([host, await set(tenant, [HOST, host])]).toMatchObject([
          host,
          { status: 409, json: { code: 'host_reserved' } },
        ])
      }
    }
    expect(await hostsOf(acme)).toEqual([])
  })

  it('go before names that are none', async () => {
    expect((await set(acme, ['a b', 'localhost'])).json).toMatchObject({ code: 'host_reserved' })
    for (const host of ['127.0.0.1', '[::1]']) {
      expect([host, (await set(acme, [host])).json]).toMatchObject([
        host,
        { code: 'host_reserved' },
      ])
    }
    for (const host of ['203.0.113.9', 'a b', 'http://x', '-a.b', 'x..y']) {
      expect([host, (await set(acme, [host])).json]).toMatchObject([host, { code: 'bad_host' }])
    }
    expect((await set(acme, ['x'.repeat(300)])).status).toBe(400)
  })

  it('have no case and no final dot', async () => {
    expect((await set(acme, ['API.Shop.Example.', HOST])).status).toBe(200)
    expect(await hostsOf(acme)).toMatchObject([{ host: HOST }])
  })

  it('stay svc’s also where an earlier version has stored them', async () => {
    const hosts = ['svc.example.com', 'localhost', '203.0.113.9', 'apps.test', 'shop.apps.test']
    await app.deps.db.write(
      hosts.map(
        (host) =>
          sql`INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)
           VALUES (${host}, 'rival', 'shop', 'x', 'upgrade', 0)`,
      ),
    )
    for (const host of ['svc.example.com:8443', 'localhost', '203.0.113.9', 'apps.test']) {
      expect([host, await at(host, '/api/config')]).toEqual([
        host,
        expect.stringContaining('version'),
      ])
    }
    // the host name under which another tenant's app is live
    expect(await at('shop.apps.test')).toBe('default/shop')
    expect((await hostsOf(rival)).map(({ status }) => status)).toContain('pending')
    expect((await verify(rival, 'localhost')).json).toMatchObject({ code: 'host_reserved' })
  })
})

describe('a host name', () => {
  it('is pending for the admin of a workspace until its TXT record is there', async () => {
    const { status, json } = await set(acme, [HOST.toUpperCase(), HOST])
    expect(status).toBe(200)
    const [made] = appShape.parse(json).hosts
    expect(made).toEqual({
      host: HOST,
      status: 'pending',
      txt_name: `_svc-challenge.${HOST}`,
      txt_value: expect.stringMatching(/^svc-verify=[0-9a-f]{32}$/),
    })
    expect(await at(HOST)).toContain('There is nothing here')
    expect(await verify(acme)).toMatchObject({
      status: 200,
      json: { host: HOST, status: 'pending', problem: expect.stringContaining('no TXT record') },
    })
    dns.records.set(`_svc-challenge.${HOST}`, ['svc-verify=another'])
    expect((await verify(acme)).json).toMatchObject({
      status: 'pending',
      problem: expect.stringContaining('another value'),
    })
    await publish(acme)
    expect(await verify(acme)).toMatchObject({
      status: 200,
      json: { ...made, status: 'active', problem: null },
    })
    expect(await at(HOST)).toBe('acme/shop')
    expect(await at(`${HOST.toUpperCase()}.:3000`)).toBe('acme/shop')
    expect(await hostsOf(acme)).toEqual([{ ...made, status: 'active' }])
    // setting the same name again keeps its proof and its record
    await set(acme, [HOST, 'www.shop.example'])
    expect(await hostsOf(acme)).toMatchObject([
      { ...made, status: 'active' },
      { status: 'pending' },
    ])
    await set(acme, [])
    expect(await at(HOST)).toContain('There is nothing here')
    expect(await listAudit(app, acme)).toEqual([
      'app.hosts_set shop',
      'app.hosts_set shop',
      `app.host_verified shop/${HOST}`,
      'app.hosts_set shop',
    ])
  })

  it('stays pending while no name server answers', async () => {
    await set(acme, [HOST])
    await publish(acme)
    dns.setFault('refused')
    expect(await verify(acme)).toMatchObject({
      status: 200,
      json: { status: 'pending', problem: expect.stringContaining('No name server answered') },
    })
    dns.setFault(null)
    expect((await verify(acme)).json).toMatchObject({ status: 'active' })
  })

  it('that two workspaces ask for goes to the one with the proof', async () => {
    expect((await set(rival, [HOST])).status).toBe(200)
    expect((await set(acme, [HOST])).status).toBe(200)
    await publish(acme)
    expect((await verify(rival)).json).toMatchObject({ status: 'pending' })
    expect((await verify(acme)).json).toMatchObject({ status: 'active' })
    expect(await at(HOST)).toBe('acme/shop')
    // also when the rival publishes its record later
    await publish(rival)
    expect(await verify(rival)).toMatchObject({ status: 409, json: { code: 'host_taken' } })
    expect(await at(HOST)).toBe('acme/shop')
    expect((await set(rival, [HOST])).json).toMatchObject({ code: 'host_taken' })
  })

  it('that was set before names needed a proof serves on, and goes to who proves it', async () => {
    await app.deps.db.write([
      sql`INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)
         VALUES (${HOST}, 'rival', 'shop', 'svc-verify=old', 'upgrade', 0)`,
    ])
    expect(await at(HOST)).toBe('rival/shop')
    expect((await set(acme, [HOST])).status).toBe(200)
    expect(await at(HOST)).toBe('rival/shop')
    await publish(acme)
    expect((await verify(acme)).json).toMatchObject({ status: 'active' })
    expect(await at(HOST)).toBe('acme/shop')
    expect(await hostsOf(rival)).toMatchObject([{ host: HOST, status: 'pending' }])
  })

  it('of a super admin is active at once, and no one else’s', async () => {
    await set(acme, [HOST])
    expect(await set(operator, [HOST])).toMatchObject({
      status: 200,
      json: { hosts: [{ host: HOST, status: 'active' }] },
    })
    expect(await at(HOST)).toBe('default/shop')
    await publish(acme)
    expect((await verify(acme)).json).toMatchObject({ code: 'host_taken' })
    expect((await set(rival, [HOST])).json).toMatchObject({ code: 'host_taken' })
    await makeApp(operator, 'second')
    expect((await set(operator, [HOST], 'second')).json).toMatchObject({ code: 'host_taken' })
    // a pending name becomes active when a super admin sets it
    const other = { ...acme, token: await app.token(['*'], { ws: acme.ws }) }
    expect((await set(other, ['b.shop.example'])).json).toMatchObject({
      hosts: [{ host: 'b.shop.example', status: 'active' }],
    })
  })

  it('is set and verified by admins alone, and of names that were set', async () => {
    const reader = await app.token(['apps:read', 'apps:write', 'deployments:write'], {
      ws: acme.ws,
      email: 'admin@acme.example',
    })
    await set(acme, [HOST])
    expect((await set({ ...acme, token: reader }, [])).status).toBe(403)
    expect((await verify({ ...acme, token: reader })).status).toBe(403)
    expect((await verify(acme, 'other.example')).json).toMatchObject({ code: 'host_not_found' })
    expect((await verify(acme, HOST, 'none')).status).toBe(404)
    expect((await set(acme, [], 'none')).status).toBe(404)
    expect(dns.asked).toEqual([])
    await app.call('DELETE', pathOf(acme), { token: acme.token })
    await makeApp(acme, 'shop')
    expect(await hostsOf(acme)).toEqual([])
  })
})

describe('of several workspaces with an app of one key', () => {
  it('the first one keeps the name below the domain, whatever the others are called', async () => {
    await makeApp(rival, 'store')
    expect(await at('store.apps.test')).toBe('rival/store')
    // its workspace comes earlier in the alphabet
    await makeApp(acme, 'store')
    expect(await at('store.apps.test')).toBe('rival/store')
    // a redeployment keeps the names
    await makeApp(rival, 'store')
    expect(await at('store.apps.test')).toBe('rival/store')
    await app.call('DELETE', pathOf(rival, 'store'), { token: rival.token })
    expect(await at('store.apps.test')).toBe('acme/store')
    await makeApp(rival, 'store')
    expect(await at('store.apps.test')).toBe('acme/store')
    // the first workspace has precedence over all others
    await makeApp(operator, 'store')
    expect(await at('store.apps.test')).toBe('default/store')
  })
})
