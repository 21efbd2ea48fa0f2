/** Templates of `svc templates` [functions 15.6]. Each works without changes and names a command that tries it. */

export type Template = Readonly<{
  name: string
  describe: string
  /** The path after `http://localhost:3000`, and options for curl. */
  tryIt: string
  files: Readonly<Record<string, string>>
}>

const yaml = (description: string, methods: readonly string[]): string =>
  `description: ${description}\nmethods: [${methods.join(', ')}]\ntags: [example]\n`

const IMPORT = "import type { FunctionContext } from '@svc/sdk'\n\n"

export const TEMPLATES: readonly Template[] = [
  {
    name: 'hello',
    describe: 'The smallest function: a text',
    tryIt: 'curl http://localhost:3000/hello',
    files: {
      'index.ts': "export default () => 'Hello from svc!'\n",
      'function.yaml': yaml('Answers a greeting', ['GET']),
    },
  },
  {
    name: 'echo',
    describe: 'Answers with what it was sent',
    tryIt: "curl http://localhost:3000/echo -H 'content-type: application/json' -d '{\"a\":1}'",
    files: {
      'index.ts': `${IMPORT}export default (ctx: FunctionContext) => ({
  method: ctx.method,
  query: ctx.query,
  body: ctx.body,
  headers: ctx.headers,
})
`,
      'function.yaml': yaml('Answers with what it was sent', ['GET', 'POST', 'PUT', 'DELETE']),
    },
  },
  {
    name: 'math',
    describe: 'Numbers from the query, with a clear error',
    tryIt: "curl 'http://localhost:3000/math?a=6&b=7&op=mul'",
    files: {
      'index.ts': `${IMPORT}const OPERATIONS: Record<string, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
}

export default (ctx: FunctionContext) => {
  const { a, b, op = 'add' } = ctx.query
  const operation = OPERATIONS[op]
  const [left, right] = [Number(a), Number(b)]
  if (operation === undefined || Number.isNaN(left) || Number.isNaN(right)) {
    ctx.set.status = 400
    return { error: 'Give a and b as numbers, and op as one of add, sub, mul, div.' }
  }
  return { result: operation(left, right) }
}
`,
      'function.yaml': yaml('Adds, subtracts, multiplies, divides', ['GET']),
    },
  },
  {
    name: 'get-query',
    describe: 'Reads the query of the address',
    tryIt: "curl 'http://localhost:3000/get-query?name=Ada&limit=5'",
    files: {
      'index.ts': `${IMPORT}export default (ctx: FunctionContext) => {
  const { name = 'world', limit = '10' } = ctx.query
  return { greeting: \`Hello, \${name}!\`, limit: Number(limit) }
}
`,
      'function.yaml': yaml('Reads the query', ['GET']),
    },
  },
  {
    name: 'post-body',
    describe: 'Reads a JSON body and checks it',
    tryIt:
      'curl http://localhost:3000/post-body -H \'content-type: application/json\' -d \'{"name":"Ada"}\'',
    files: {
      'index.ts': `${IMPORT}export default (ctx: FunctionContext) => {
  const { name } = ctx.body as { name?: unknown }
  if (typeof name !== 'string' || name === '') {
    ctx.set.status = 400
    return { error: 'The body needs a name.' }
  }
  ctx.set.status = 201
  return { id: ctx.requestId, name }
}
`,
      'function.yaml': yaml('Takes a JSON body', ['POST']),
    },
  },
  {
    name: 'fetch-api',
    describe: 'Asks another API, with a time limit',
    tryIt: "curl 'http://localhost:3000/fetch-api?url=https://api.github.com/zen'",
    files: {
      'index.ts': `${IMPORT}export default async (ctx: FunctionContext) => {
  const { url = 'https://api.github.com/zen' } = ctx.query
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return { status: response.status, text: (await response.text()).slice(0, 1_000) }
  } catch (error) {
    ctx.set.status = 502
    return { error: \`\${url} could not be reached: \${error instanceof Error ? error.message : error}\` }
  }
}
`,
      'function.yaml': yaml('Asks another API', ['GET']),
    },
  },
  {
    name: 'error-handling',
    describe: 'Errors that a caller understands, and those for the log alone',
    tryIt: "curl 'http://localhost:3000/error-handling?fail=yes'",
    files: {
      'index.ts': `${IMPORT}/** What a caller may know; anything else that is thrown answers 500 and is kept for the log. */
class CallerError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const work = (fail: string | undefined) => {
  if (fail === 'yes') throw new CallerError(422, 'The request set "fail" to "yes".')
  if (fail === 'hard') throw new Error('Only the log has this message.')
  return { ok: true }
}

export default (ctx: FunctionContext) => {
  try {
    return work(ctx.query.fail)
  } catch (error) {
    if (!(error instanceof CallerError)) throw error
    ctx.set.status = error.status
    return { error: error.message }
  }
}
`,
      'function.yaml': yaml('Shows how errors are answered', ['GET']),
    },
  },
  {
    name: 'request-metadata',
    describe: 'Who asks, and for what',
    tryIt: 'curl http://localhost:3000/request-metadata',
    files: {
      'index.ts': `${IMPORT}export default (ctx: FunctionContext) => ({
  requestId: ctx.requestId,
  ip: ctx.headers['x-forwarded-for'] ?? ctx.request.ip,
  userAgent: ctx.headers['user-agent'] ?? null,
  url: ctx.request.url,
  path: ctx.request.path,
  hostname: ctx.request.hostname,
  protocol: ctx.request.protocol,
  files: ctx.files.map(({ originalname, size, mimetype }) => ({ originalname, size, mimetype })),
})
`,
      'function.yaml': yaml('Returns the caller', ['GET', 'POST']),
    },
  },
  {
    name: 'shared-module',
    describe: 'Several files: a function with a module of its own',
    tryIt: "curl 'http://localhost:3000/shared-module?mail=ada@example.com'",
    files: {
      'index.ts': `${IMPORT}import { checkMail } from './validator.ts'

export default (ctx: FunctionContext) => {
  const fault = checkMail(ctx.query.mail)
  if (fault === null) return { valid: true }
  ctx.set.status = 400
  return { valid: false, error: fault }
}
`,
      'validator.ts': `/** Returns null if the address may be used. */
export const checkMail = (mail: string | undefined): string | null => {
  if (mail === undefined || mail === '') return 'Give an address: ?mail=you@example.com'
  return /^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/.test(mail) ? null : \`"\${mail}" is not an e-mail address.\`
}
`,
      'function.yaml': yaml('Checks an e-mail address', ['GET']),
    },
  },
]
