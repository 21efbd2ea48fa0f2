import { defineMessages, digits, plural } from '../../../language/messages.ts'

/** The API does not count beyond this. */
const MOST_COUNTED = 1_000

export const messages = defineMessages({
  ended: { en: 'Ended', ko: '종료됨' },
  actionOrFlow: { en: 'Action or flow', ko: '액션·플로우' },
  flowJobs: { en: 'Flow jobs', ko: '플로우 작업' },
  folded: { en: 'Folded', ko: '묶어서 보기' },
  each: { en: 'One by one', ko: '하나씩 보기' },
  flowRun: { en: 'Flow run', ko: '플로우 실행' },
  jobsOf: {
    en: (flow: string) => `Jobs of ${flow}`,
    ko: (flow: string) => `${flow}의 작업`,
  },
  jobCount: {
    en: (count: number) =>
      count >= MOST_COUNTED
        ? `${digits(MOST_COUNTED)}+ jobs`
        : `${count} ${plural(count, 'job', 'jobs')}`,
    ko: (count: number) =>
      count >= MOST_COUNTED ? `작업 ${digits(MOST_COUNTED)}개 이상` : `작업 ${count}개`,
  },
  allOfRun: { en: 'Show all jobs of this run', ko: '이 실행의 작업 모두 보기' },
  none: { en: 'No jobs yet', ko: '아직 작업이 없습니다' },
  noneText: {
    en: 'A job is one run of an action. Deploy an app, then run one of its actions:',
    ko: '작업은 액션을 한 번 실행한 것입니다. 앱을 배포한 뒤 액션을 실행해 보세요.',
  },
  noneFailed: { en: 'No failures', ko: '실패한 작업이 없습니다' },
  noneFailedText: {
    en: 'A job that fails appears here until you dismiss it.',
    ko: '작업이 실패하면 처리 완료로 표시할 때까지 여기에 나타납니다.',
  },
  noMatch: { en: 'No matching jobs', ko: '필터에 맞는 작업이 없습니다' },
  noMatchText: {
    en: 'Clear the filters or choose a longer time range. New jobs appear automatically.',
    ko: '필터를 지우거나 기간을 늘려 보세요. 새 작업은 자동으로 나타납니다.',
  },
})
