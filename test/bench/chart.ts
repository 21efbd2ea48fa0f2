/** Draws docs/benchmarks.svg: bars of svc and its peers, readable in light and dark, without a script. */
import { figure, type Measured, NAMES, type Series, spreadOfSeries } from './report.ts'

const WIDTH = 760
const LABEL_WIDTH = 150
const VALUE_WIDTH = 110
const BAR_HEIGHT = 20
const ROW_HEIGHT = 28
const TITLE_HEIGHT = 44

const STYLE = `
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 14px }
  .note { fill: #656d76 }
  .ours { fill: #0969da } .theirs { fill: #afb8c1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .note { fill: #9198a1 } .ours { fill: #4493f8 } .theirs { fill: #525a64 }
  }`

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Panel = Readonly<{ text: string; height: number }>

const drawPanel = ({ measure, series }: Measured, top: number): Panel => {
  const most = Math.max(...series.map((each) => spreadOfSeries(each).median))
  const space = WIDTH - LABEL_WIDTH - VALUE_WIDTH
  const rows = series.map((each: Series, at) => {
    const { median } = spreadOfSeries(each)
    const y = top + TITLE_HEIGHT + at * ROW_HEIGHT
    const width = Math.max(2, (median / most) * space)
    const kind = each.participant === 'svc' ? 'ours' : 'theirs'
    const middle = y + BAR_HEIGHT * 0.72
    return `<text x="${LABEL_WIDTH - 10}" y="${middle}" text-anchor="end">${NAMES[each.participant]}</text>
  <rect class="${kind}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="3"/>
  <text x="${(LABEL_WIDTH + width + 8).toFixed(1)}" y="${middle}">${figure(median)} ${measure.unit}</text>`
  })
  const note = measure.better === 'higher' ? 'more is better' : 'less is better'
  return {
    text: `<text class="title" x="0" y="${top + 24}">${escapeText(measure.title)} <tspan class="note" font-weight="400">· ${note}</tspan></text>
  ${rows.join('\n  ')}`,
    height: TITLE_HEIGHT + series.length * ROW_HEIGHT + 8,
  }
}

export const drawChart = (measured: readonly Measured[]): string => {
  const panels: string[] = []
  let height = 0
  for (const each of measured.filter(
    ({ measure, series }) => measure.chart === true && series.length > 0,
  )) {
    const panel = drawPanel(each, height)
    panels.push(panel.text)
    height += panel.height
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="svc beside its peers">
  <style>${STYLE}
  </style>
  ${panels.join('\n  ')}
</svg>
`
}
