import { describe, expect, it } from 'vitest'
import { JsonText, jsonTextOf } from '#core/json/text.ts'
import { jsonValue, z } from './schemas/z.ts'
import { storedEnum, time, toWire } from './wire.ts'

const job = z.object({
  id: z.string(),
  created_at: time,
  completed_at: time.nullable(),
  flow_step: z.string().optional(),
  trigger_kind: storedEnum(['api', 'schedule']),
  input: z.unknown(),
  arms: z.array(z.object({ started_at: time })),
})

const row = {
  id: 'j1',
  createdAt: 0,
  completedAt: null,
  flowStep: null,
  triggerKind: 'api',
  input: { createdAt: 1, inner: { twoWords: true } },
  arms: [{ startedAt: 1_000 }],
}

describe('toWire', () => {
  it('writes names in snake_case and milliseconds as RFC 3339', () => {
    expect(toWire(job)(row)).toMatchObject({
      id: 'j1',
      created_at: '1970-01-01T00:00:00.000Z',
      completed_at: null,
      arms: [{ started_at: '1970-01-01T00:00:01.000Z' }],
    })
  })

  it('writes the nearest time for one that RFC 3339 cannot express', () => {
    const written = [253_402_300_800_000, -62_167_219_200_001, 1e20].map((completedAt) =>
      toWire(job)({ ...row, completedAt }),
    )
    expect(written).toMatchObject([
      { completed_at: '9999-12-31T23:59:59.999Z' },
      { completed_at: '0000-01-01T00:00:00.000Z' },
      { completed_at: '9999-12-31T23:59:59.999Z' },
    ])
  })

  it('leaves out an optional field that is null, and keeps a nullable one', () => {
    expect(toWire(job)(row)).not.toHaveProperty('flow_step')
    expect(toWire(job)(row)).toHaveProperty('completed_at', null)
  })

  it('never writes a field that the schema does not name', () => {
    expect(toWire(job)({ ...row, passwordHash: 'secret' })).not.toHaveProperty('passwordHash')
  })

  it('does not touch JSON that belongs to the user', () => {
    expect(toWire(job)(row)).toHaveProperty('input', row.input)
  })

  it('takes over texts that are JSON already, without parsing them', () => {
    const step = z.object({ step_key: z.string(), result: jsonValue })
    const run = z.object({ flow_run_id: z.string(), steps: z.array(step), error: jsonValue })
    const steps = [
      { stepKey: 'a "b"', result: new JsonText('{ "big": 12345678901234567890 }') },
      { stepKey: 'c', result: null },
    ]
    const text =
      '{"flow_run_id":"r1","steps":[{"step_key":"a \\"b\\"","result":{ "big": 12345678901234567890 }},{"step_key":"c","result":null}],"error":null}'
    expect(jsonTextOf(toWire(run)({ flowRunId: 'r1', steps, error: null }))).toBe(text)
  })

  it('refuses a word that the schema does not know', () => {
    expect(() => toWire(job)({ ...row, triggerKind: 'moon' })).toThrow(z.ZodError)
  })
})
