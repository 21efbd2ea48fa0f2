/** Counts over time as stacked bars. The numbers are there for everybody: each bar is named by its time and counts. */
import styles from './bar-chart.module.css'

export type Series = Readonly<{ name: string; tone: 'good' | 'bad' | 'quiet' }>
export type Bar = Readonly<{ key: string; label: string; values: readonly number[] }>

const HEIGHT = 100

type Stacked = Readonly<{ tone: Series['tone']; y: number; height: number }>

/** The first value is at the bottom. */
export const stack = (
  values: readonly number[],
  series: readonly Series[],
  most: number,
): readonly Stacked[] => {
  let top = HEIGHT
  return values.flatMap((value, index) => {
    const tone = series[index]?.tone
    if (value === 0 || tone === undefined) return []
    // one failure among thousands must be seen
    const height = Math.max((value / most) * HEIGHT, 2)
    top -= height
    return [{ tone, y: Math.max(top, 0), height }]
  })
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)

/** @param bars oldest first @param ends the labels below the first and the last bar */
export const BarChart = ({
  label,
  series,
  bars,
  most,
  ends,
}: Readonly<{
  label: string
  series: readonly Series[]
  bars: readonly Bar[]
  /** What the highest bar counts, for people. */
  most: string
  ends: readonly [string, string]
}>) => {
  const highest = Math.max(1, ...bars.map(({ values }) => sum(values)))
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>{label}</span>
        <ul className={styles.legend}>
          {series.map(({ name, tone }) => (
            <li key={name} data-tone={tone}>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div className={styles.plot}>
        <span className={styles.most}>{most}</span>
        <svg
          className={styles.chart}
          viewBox={`0 0 ${bars.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {bars.map(({ key, label: name, values }, index) => (
            <g key={key} className={styles.bar}>
              <title>{name}</title>
              <rect className={styles.hit} x={index} y={0} width={1} height={HEIGHT} />
              {stack(values, series, highest).map(({ tone, y, height }) => (
                <rect
                  key={tone}
                  data-tone={tone}
                  x={index + 0.1}
                  y={y}
                  width={0.8}
                  height={height}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </figure>
  )
}
