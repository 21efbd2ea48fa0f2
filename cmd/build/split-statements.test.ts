import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitStatements } from './split-statements.ts'

describe('splitting a migration', () => {
  it('drops comments and lines that contained nothing else', () => {
    expect(
      splitStatements(`-- a table; of things
CREATE TABLE a (
  -- why
  id TEXT, /* and
  more; */ b TEXT -- because
);

CREATE INDEX i ON a (id);`),
    ).toEqual(['CREATE TABLE a (\n  id TEXT,  b TEXT\n)', 'CREATE INDEX i ON a (id)'])
  })

  it('keeps a trigger whole, with several statements and a CASE in its body', () => {
    const trigger = `CREATE TRIGGER t AFTER UPDATE ON a
BEGIN
  UPDATE b SET n = CASE WHEN n > 1 THEN 2 ELSE 3 END;
  SELECT RAISE(ABORT, 'no; END');
END`
    expect(splitStatements(`SELECT 1;\n${trigger};\nSELECT 2;`)).toEqual([
      'SELECT 1',
      trigger,
      'SELECT 2',
    ])
  })

  it('leaves quoted texts and names as they are', () => {
    const quoted = `INSERT INTO "a;b" ([c;d], \`e;f\`) VALUES ('it''s; -- here', '/* not */')`
    expect(splitStatements(`${quoted};`)).toEqual([quoted])
  })

  it('treats a CASE outside a trigger like any word', () => {
    expect(splitStatements('SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 3;')).toHaveLength(2)
  })

  it('refuses a script that ends within a statement', () => {
    expect(() => splitStatements('SELECT 1')).toThrow('ends within a statement')
    expect(() => splitStatements("SELECT 'open;")).toThrow('ends within a statement')
    expect(() => splitStatements('CREATE TRIGGER t AFTER UPDATE ON a BEGIN SELECT 1;')).toThrow(
      'ends within a statement',
    )
  })

  it('splits joined statements into the originals (property)', () => {
    const text = fc.string().map((value) => `'${value.replaceAll("'", "''")}'`)
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const statements = texts.map((value) => `SELECT ${value}`)
        expect(splitStatements(statements.map((one) => `${one};\n-- x;\n`).join(''))).toEqual(
          statements,
        )
      }),
    )
  })
})
