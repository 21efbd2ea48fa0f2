import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'

const root = resolve(import.meta.dirname, '../../..')
const render = (markdown: string) =>
  renderMarkdown(markdown, {
    root,
    path: 'docs/flows.md',
    pageOf: (path) =>
      path.startsWith('docs/reference/')
        ? { address: `/docs/${path.slice(5, -3)}`, title: 'The <title>' }
        : undefined,
  })

describe('a document', () => {
  it('links to pages, keeps what is outside, and shows a file without a page as text', () => {
    const { html } = render(
      '[a](reference/jobs.md#3.4) [b](https://example.com/?a&b) [c](#top) [d](../package.json)',
    )
    expect(html).toBe(
      '<p><a href="/docs/reference/jobs#3.4">a</a> <a href="https://example.com/?a&amp;b">b</a> <a href="#top">c</a> d</p>\n',
    )
  })

  it('names a page by its title where the document names its file', () => {
    expect(render('All rules: [reference/jobs.md](reference/jobs.md)').html).toContain(
      '<a href="/docs/reference/jobs">The &lt;title&gt;</a>',
    )
  })

  it('is refused with a link that leads nowhere, HTML, or code in an unknown language', () => {
    expect(() => render('[a](nothing.md)')).toThrow(
      'docs/flows.md links to nothing.md, which is not there.',
    )
    expect(() => render('a <script>alert(1)</script>')).toThrow('docs/flows.md contains HTML')
    expect(() => render('```cobol\nSTOP RUN\n```')).toThrow('A block of code is in "cobol"')
    expect(() => render('![a](https://example.com/a.png)')).toThrow('which is outside of svc')
    expect(() => render(`# A ${'paragraph '.repeat(9)}`)).toThrow(
      'has a heading that is a paragraph',
    )
  })

  it('gives equal headings addresses of their own, as GitHub does', () => {
    const { headings } = render('# A `b` c?\n## One\n## One\n## 값')
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c', 'one', 'one-1', '값'])
  })

  it('cuts its text below headings for the search', () => {
    const { passages } = render(
      '# A\nOne **two**.\n\n| x | y |\n|---|---|\n| 1 | `2` |\n\n## B\n- three\n- four\n\n#### C\n`five`',
    )
    expect(passages).toEqual([
      { id: 'a', title: 'A', text: 'One two. x y 1 2' },
      { id: 'b', title: 'B', text: 'three four five' },
    ])
  })

  it('shows code in colours, escaped, and a diagram of states as a table', () => {
    expect(render('```ts\nconst a = "<b>"\n```').html).toContain(
      '<span class="tok-keyword">const</span> <span class="tok-variableName tok-definition">a</span>',
    )
    expect(render('```ts\nconst a = "<b>"\n```').html).toContain('&lt;b&gt;')
    expect(render('```mermaid\nstateDiagram-v2\n  [*] --> queued: run\n```').html).toContain(
      '<td></td><td>run</td><td>queued</td>',
    )
    const flow = '```mermaid\nflowchart LR\n  a[Request] --> b{full?}\n  b -- yes --> c[429]\n```'
    expect(render(flow).html).toContain('<tr><td>full?</td><td>yes</td><td>429</td></tr>')
  })

  it('names the file that a block is', () => {
    expect(render('```yaml app.yaml\nkey: a\n```').html).toMatch(
      /^<figure><figcaption>app.yaml<\/figcaption><pre tabindex="0"><code>/,
    )
  })
})
