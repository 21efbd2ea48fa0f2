/**
 * Values over time as lines. The chart library is loaded when the first chart is shown.
 * The content of the canvas is also available as a sentence and as a table.
 */
import { lazy, Suspense } from 'react'
import { loadPart } from '../../browser/load-part.ts'
import { useFormat } from '../../language/format.ts'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { Loading } from '../notice.tsx'
import styles from './line-chart.module.css'
import type { LineChartProps } from './line-chart-props.ts'

const Plot = lazy(async () => ({
  default: (await loadPart(() => import('./line-plot.tsx'))).LinePlot,
}))

const messages = defineMessages({
  table: { en: 'Show as a table', ko: '표로 보기' },
  time: { en: 'Time', ko: '시각' },
})

export const LineChart = (props: LineChartProps) => {
  const t = useMessages(messages)
  const { short } = useFormat()
  const { title, summary, times, lines, format, renderTime = (_, text) => text } = props
  const rows = times.flatMap((at, index) => {
    const values = lines.map((line) => line.values[index] ?? null)
    return values.every((value) => value === null) ? [] : [{ at, index, values }]
  })
  return (
    <figure className={styles.figure}>
      <figcaption>
        <h2>{title}</h2>
        <p>{summary}</p>
      </figcaption>
      <Suspense
        fallback={
          <div className={styles.plot}>
            <Loading />
          </div>
        }
      >
        <Plot {...props} />
      </Suspense>
      <details className={styles.table}>
        <summary>{t.table}</summary>
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label={title}
        >
          <table>
            <caption>{title}</caption>
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ at, index: row, values }) => (
                <tr key={at}>
                  <th scope="row">{renderTime(row, short(at))}</th>
                  {values.map((value, index) => (
                    <td key={lines[index]?.name}>{value === null ? '–' : format(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
