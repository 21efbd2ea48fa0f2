/**
 * The server's refusals in Korean, by code. The server writes its sentences in English. A sentence that ends with a colon is
 * followed by the server's own, which contains names, numbers or places. test/korean-errors.test.ts compares the codes with the
 * server's.
 */
export const KOREAN_ERRORS: Readonly<Record<string, string>> = {
  // errors without a code of their own have the name of their kind
  invalid: '요청이 올바르지 않습니다:',
  forbidden: '이 작업을 할 권한이 없습니다:',
  not_found: '대상을 찾을 수 없습니다.',
  conflict: '지금 상태에서는 처리할 수 없습니다:',
  gone: '더 이상 사용할 수 없습니다:',
  too_large: '크기가 한도를 넘습니다:',
  unprocessable: '내용에 문제가 있어 처리할 수 없습니다:',
  rate_limited: '요청이 너무 많습니다. 잠시 뒤 다시 시도하세요.',
  unavailable: '서버가 지금 처리할 수 없습니다. 잠시 뒤 다시 시도하세요:',
  bad_gateway: '외부 서버가 올바르게 응답하지 않았습니다:',
  timeout: '제한 시간 안에 끝나지 않았습니다:',
  internal: '서버에서 오류가 발생했습니다. 계속되면 요청 ID를 운영자에게 알려 주세요.',

  // accounts and access
  account_disabled: '비활성화된 계정입니다. 관리자에게 문의하세요.',
  bad_password: '사용할 수 없는 비밀번호입니다:',
  cross_site: '다른 사이트에서 보낸 요청은 받지 않습니다. 콘솔에서 다시 시도하세요.',
  email_not_verified: '로그인 제공자가 이 계정의 이메일 주소를 확인하지 않았습니다.',
  domain_not_allowed: '이 도메인의 계정으로는 로그인할 수 없습니다.',
  invite_ended: '이미 사용했거나 만료된 초대입니다. 새 초대를 요청하세요.',
  invite_not_found: '초대를 찾을 수 없습니다.',
  last_admin: '워크스페이스에 관리자가 없게 됩니다. 먼저 다른 멤버를 관리자로 지정하세요.',
  last_super_admin: '인스턴스의 마지막 최고 관리자입니다. 먼저 다른 최고 관리자를 지정하세요.',
  link_password: '비밀번호가 있는 계정입니다. 비밀번호로 한 번 로그인하세요.',
  member_exists: '이미 멤버입니다.',
  member_not_found: '멤버를 찾을 수 없습니다.',
  own_account: '자신의 계정은 비활성화하거나 삭제할 수 없습니다. 다른 최고 관리자에게 요청하세요.',
  password_login_off: '비밀번호 로그인이 꺼져 있습니다. 로그인 제공자로 로그인하세요.',
  session_changed: '방금 세션이 바뀌었습니다. 다시 시도하세요.',
  session_ended: '세션이 끝났습니다. 다시 로그인하세요.',
  session_not_found: '세션을 찾을 수 없습니다.',
  too_many_guesses: '잘못된 시도가 너무 많습니다. 기다렸다가 다시 시도하세요.',
  too_many_sign_ins: '지금 로그인 요청이 너무 많습니다. 잠시 뒤 다시 시도하세요.',
  two_factor_off: '2단계 인증이 꺼져 있습니다.',
  two_factor_on: '2단계 인증이 켜져 있습니다. 다시 설정하려면 먼저 끄세요.',
  two_factor_required: '인증 앱의 코드를 입력하세요.',
  unknown_scope: '알 수 없는 권한입니다:',
  unproven_address: '주소의 주인이 확인되지 않은 계정입니다. 추가하는 대신 초대를 보내세요.',
  user_not_found: '사용자를 찾을 수 없습니다.',
  wrong_account: '다른 계정에 보낸 초대입니다. 초대받은 계정으로 로그인하세요.',
  wrong_code: '코드가 틀렸거나 이미 사용되었습니다. 다음 코드를 기다리세요.',
  wrong_credentials: '이메일 주소 또는 비밀번호가 올바르지 않습니다.',
  wrong_workspace: '이 워크스페이스의 멤버가 아닙니다. 관리자에게 초대를 요청하세요.',

  // apps, drafts and deployments
  action_not_found: '배포된 액션을 찾을 수 없습니다:',
  already_current: '이미 현재 배포입니다.',
  app_exists: '이미 있는 앱입니다:',
  app_not_found: '앱을 찾을 수 없습니다:',
  bad_bundle: '앱의 파일에 문제가 있습니다:',
  bad_key: '올바르지 않은 키입니다:',
  bad_manifest: 'app.yaml을 고쳐야 합니다:',
  bad_function: '함수를 고쳐야 합니다:',
  bad_name: '앱 이름으로 쓸 수 없습니다:',
  deployment_not_found: '배포를 찾을 수 없습니다.',
  draft_exists: '같은 앱의 초안이 이미 있습니다. 그 초안을 열거나 먼저 삭제하세요.',
  draft_not_found: '초안을 찾을 수 없습니다.',
  draft_too_large: '초안이 너무 큽니다:',
  file_not_found: '파일을 찾을 수 없습니다.',
  flow_not_found: '배포된 플로우를 찾을 수 없습니다:',
  manifest_unread: '서버가 app.yaml이나 입력을 검사하지 못했습니다. 다시 시도하세요.',
  manifests_busy: '검사 중인 app.yaml과 입력이 너무 많습니다. 잠시 뒤 다시 시도하세요.',
  no_manifest: 'app.yaml이 없습니다:',
  nothing_deployed: '아직 배포가 없는 앱입니다.',
  sources_not_kept:
    '소스를 저장하지 않던 이전 버전의 svc로 배포한 앱입니다. 폴더나 Git 소스에서 다시 배포하세요.',
  unbundlable: '앱의 코드를 번들로 만들지 못했습니다.',
  wrong_key: 'app.yaml의 키가 앱의 키와 다릅니다:',

  // functions and hosts
  bad_host: '올바른 호스트 이름이 아닙니다. 예: api.example.com',
  function_not_found: '함수를 찾을 수 없습니다.',
  host_not_found: '호스트 이름을 찾을 수 없습니다.',
  host_reserved: 'svc가 사용하는 호스트 이름입니다. 보유한 도메인의 이름을 선택하세요.',
  host_taken: '다른 앱이 사용하는 호스트 이름입니다. 먼저 그 앱에서 삭제하세요.',
  isolation_too_low: '함수에 필요한 격리 수준을 이 서버가 제공하지 않습니다:',

  // Git sources
  bad_branch: '올바르지 않은 브랜치입니다:',
  branch_not_found: 'Git 소스에 없는 브랜치입니다:',
  empty_repository: 'Git 소스에 아직 커밋이 없습니다.',
  git_unreachable: 'Git 소스를 가져오지 못했습니다:',
  repository_too_large: 'Git 소스의 크기가 한도를 넘습니다.',
  too_many_apps: 'Git 소스 하나에 담을 수 있는 것보다 앱이 많습니다:',
  too_much_together:
    '함께 배포할 앱이 너무 큽니다. 더 적은 브랜치를 푸시하거나 Git 소스를 나누세요.',
  url_not_allowed: '허용되지 않는 주소입니다:',

  // jobs, flows and approvals
  bad_form: '양식의 일부가 비어 있거나 올바르지 않습니다.',
  chain_too_deep: '작업이 서로를 너무 여러 번 이어서 시작했습니다:',
  flow_has_approval: '승인 단계가 있는 플로우는 공개 링크를 만들 수 없습니다.',
  batch_too_slow:
    '입력을 검사하는 데 너무 오래 걸립니다. 작업을 나누어 보내거나 스키마를 더 단순하게 만드세요.',
  idempotency_key_reused: '같은 멱등 키로 다른 요청을 보냈습니다. 새로 고침한 뒤 다시 시도하세요.',
  input_schema: '입력이 스키마에 맞지 않습니다:',
  link_ended: '닫힌 양식입니다. 보낸 사람에게 새 링크를 요청하세요.',
  link_expired: '만료된 링크입니다. 보낸 사람에게 새 링크를 요청하세요.',
  malformed_json: '올바른 JSON이 아닙니다:',
  not_an_object: '입력은 JSON 객체여야 합니다.',
  not_ended: '아직 끝나지 않은 작업입니다. 끝난 뒤 다시 실행하세요.',
  not_failed: '실패한 것만 처리 완료로 표시할 수 있습니다.',
  not_over: '아직 끝나지 않은 실행입니다. 끝날 때까지 기다리거나 먼저 취소하세요.',
  not_queued: '대기 중인 작업만 다시 대기열에 넣을 수 있습니다.',
  not_waiting: '이 단계는 지금 응답을 기다리지 않습니다. 이미 끝났거나 아직 시작되지 않았습니다.',
  other_step: '플로우가 다른 단계에서 기다리고 있습니다:',
  queue_full: '워크스페이스의 대기열이 가득 찼습니다. 워커를 늘리거나 나중에 다시 시도하세요.',
  self_approval: '실행을 요청한 사람은 승인할 수 없습니다. 다른 승인자에게 요청하세요.',
  step_not_done: '그 실행에서 성공하지 않은 단계입니다. 더 앞의 단계에서 시작하세요:',
  tag_not_allowed: '이 워크스페이스에서 쓸 수 없는 태그입니다:',
  too_many_jobs: '필터에 맞는 작업이 너무 많습니다. 앱, 액션, 기간으로 범위를 줄이세요.',
  too_many_operations: '끝나지 않은 일괄 처리가 너무 많습니다. 하나가 끝나면 다시 시도하세요.',
  unknown_step: '플로우에 없는 단계입니다:',

  // schedules, webhooks and notifications
  bad_schedule: '일정의 설정이 올바르지 않습니다:',
  delivery_gone:
    '이 수신으로 시작된 작업이 삭제되었거나 이후의 요청이 그 입력을 바꾸어 본문이 남아 있지 않습니다.',
  delivery_not_found: '수신 기록을 찾을 수 없습니다.',
  managed_by_app: 'app.yaml에서 정한 일정입니다. app.yaml을 고쳐 다시 배포하세요.',
  schedule_key_taken:
    '옮기려는 앱에 같은 키의 일정이 이미 있습니다. 그 일정을 먼저 삭제하거나 그 일정을 고치세요.',
  nothing_to_replay:
    '이 수신은 아무것도 시작하지 않았고, 거부한 본문은 저장하지 않습니다. 보낸 쪽에서 다시 보내야 합니다.',
  too_many_bodies: '이 워크스페이스의 큰 요청을 아직 처리하고 있습니다. 한 번에 더 적게 보내세요.',
  too_many_reads: '이 워크스페이스의 조회 요청이 너무 많습니다. 잠시 뒤 다시 시도하세요.',
  too_many_streams:
    '이 워크스페이스에서 연 실시간 연결이 너무 많습니다. 쓰지 않는 화면을 닫으세요.',
  too_many_tests: '테스트를 너무 많이 보냈습니다. 잠시 뒤 다시 시도하세요.',
  webhook_not_found: '웹훅을 찾을 수 없습니다.',

  // customers and billing
  customer_key: '고객의 키로는 할 수 없습니다:',
  insufficient_balance: '잔액이 부족합니다:',
  invalid_api_key: 'API 키를 알 수 없거나 폐기되었습니다.',
  unknown_action: '허용하려는 액션이 배포되어 있지 않습니다.',

  // documents
  broken_pdf: 'PDF가 손상되었습니다:',
  encrypted_pdf: '암호가 걸린 PDF입니다:',
  in_pieces: '증명서가 여러 파일로 나뉘어 있습니다:',
  low_resolution: '스캔의 해상도가 너무 낮습니다:',
  no_text_layer: '글자가 들어 있지 않은 PDF입니다:',
  nothing_recognised: '등기사항증명서의 내용을 찾지 못했습니다:',
  no_file: 'PDF 파일을 선택하세요.',
  not_a_pdf: 'PDF 파일이 아닙니다:',
  parser_busy: '지금 읽고 있는 문서가 너무 많습니다. 잠시 뒤 다시 시도하세요.',
  too_complex: '문서가 너무 복잡합니다:',
  unsupported_document: '지원하지 않는 문서입니다:',

  // the instance
  cell_unavailable: '이 워크스페이스의 데이터베이스가 응답하지 않습니다. 잠시 뒤 다시 시도하세요.',
  invalid_cursor: '목록의 위치가 올바르지 않습니다. 첫 페이지부터 다시 보세요.',
  storage_full: '워크스페이스의 저장 공간이 가득 찼습니다:',
  workspace_moving: '워크스페이스를 다른 데이터베이스로 옮기는 중입니다. 잠시 뒤 다시 시도하세요.',
}
