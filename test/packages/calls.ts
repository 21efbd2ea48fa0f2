/** One action per package: it loads the package and makes a first call that needs no server. */

/** An address that no job may reach. */
const REFUSED = '10.255.0.1'

const tells = `const tells = async (act: () => Promise<unknown>): Promise<string> => {
  try {
    return 'reached ' + String(await act())
  } catch (error) {
    const parts = []
    for (let each = error; each instanceof Error; each = each.cause ?? each.original ?? each.errors?.[0]) {
      parts.push(each.message)
    }
    return parts.join(' < ')
  }
}
`

export const CALLS: Readonly<Record<string, string>> = {
  pg: `import pg from 'pg'
${tells}
export const main = () => {
  const client = new pg.Client({ host: '${REFUSED}', user: 'u', password: 'p', database: 'd' })
  client.on('error', () => undefined)
  return tells(() => client.connect())
}`,
  ioredis: `import { Redis } from 'ioredis'
${tells}
export const main = () => {
  const redis = new Redis({ host: '${REFUSED}', lazyConnect: true, retryStrategy: () => null })
  return tells(() => new Promise((_, reject) => {
    redis.on('error', reject)
    redis.connect().catch(() => undefined)
  }))
}`,
  axios: `import axios from 'axios'
${tells}
export const main = () => tells(() => axios.get('http://${REFUSED}/'))`,
  'puppeteer-core': `import puppeteer from 'puppeteer-core'
${tells}
export const main = () => tells(() => puppeteer.connect({ browserURL: 'http://${REFUSED}:9222' }))`,
  '@aws-sdk/client-s3': `import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
export const main = async () => {
  let signed
  const client = new S3Client({
    region: 'eu-north-1',
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
    requestHandler: {
      handle: async (request) => {
        signed = request.headers.authorization
        throw new Error('seen')
      },
    },
    maxAttempts: 1,
  })
  await client.send(new ListBucketsCommand({})).catch((error) => {
    if (error.message !== 'seen') throw error
  })
  return signed
}`,
  pino: `import pino from 'pino'
export const main = () => {
  pino().info({ order: 7 }, 'order is paid')
  return 'logged'
}`,
  '@slack/web-api': `import { WebClient } from '@slack/web-api'
${tells}
export const main = () => {
  const slack = new WebClient('xoxb-1', { slackApiUrl: 'http://${REFUSED}/api/', retryConfig: { retries: 0 } })
  return tells(() => slack.auth.test())
}`,
}
