/** Words of schedules that several pages show. */
import { defineMessages } from '../language/messages.ts'

export const messages = defineMessages({
  add: { en: 'New schedule', ko: '새 일정' },
  on: { en: 'On', ko: '켜짐' },
  interval: { en: 'When', ko: '주기' },
  next: { en: 'Next', ko: '다음' },
  last: { en: 'Last result', ko: '최근 결과' },
  enable: {
    en: (name: string) => `Enable ${name}`,
    ko: (name: string) => `${name} 일정 켜기`,
  },
  notChanged: { en: 'Could not change the schedule', ko: '일정을 변경하지 못했습니다' },
})
