/**
 * The hard cases that a generated certificate may contain; the number is that of the list of edge cases in the brief. A
 * document reports which of them it shows, so that tests can count that each was really tried.
 */
export const CASES = [
  // what the certificate is
  'viewing_copy',
  'issue_copy',
  'valid_only', // 28
  'partial_share',
  'partial_current_owners',
  'partial_share_history',
  'spaced_title_line', // 20
  'legacy_title', // 20
  'strike_footnote', // 1
  'trailer_after_entry', // 3
  'summary_pages',
  'summary_over_pages',
  'summary_struck_amount',
  // the title section
  'previous_display_number', // 19
  'struck_title_row',
  'note_only_title_row',
  'road_address',
  'road_address_in_later_row',
  'mountain_lot', // 33
  'lot_with_beonji', // 33
  'building_name_with_digits', // 33
  'further_lots', // 18, 35
  'several_lots',
  'rooftop_excluded',
  'basement_floor',
  'repeated_floor_label', // 10
  'use_and_area_on_two_lines', // 14
  'struck_floor',
  'no_land_right', // 11
  'several_lands', // 11
  'land_partly_struck', // 11
  'separate_registration',
  'separate_registration_cancelled',
  // ranks and purposes
  'same_rank_in_both_sections', // 4
  'previous_rank', // 19
  'computerised_note', // 19
  'import_note',
  'imported_purpose',
  'several_sub_entries', // 12
  'deep_rank', // 12
  'empty_purpose', // 13 of the linking rules
  'compound_trust',
  'compound_trust_cancelled',
  'compound_main_registration',
  'not_cancelling_malso', // 2
  'owner_in_target', // 17
  'company_in_target', // 17
  'blank_in_target', // 17
  'section_a_target',
  'unclassified_purpose',
  // ownership
  'co_owners',
  'many_co_owners', // 7
  'joint_owners',
  'decimal_share', // 8
  'owner_with_two_ranks', // 8
  'share_transfer',
  'part_of_share_transfer',
  'all_shares_transfer',
  'trust_register', // 29
  'trustee_renamed', // 29
  'repurchase', // 30
  'prohibition',
  'holder_address_change',
  'holder_correction',
  'holder_change_in_section_b',
  'shared_trade_list', // 27
  'trade_list',
  // restraints
  'auction_sale',
  'provisional_registration',
  'provisional_transfer',
  'injunction_on_provisional',
  'authority_without_number', // 15
  'authority_with_code',
  'state_with_office', // 15
  'managing_agency', // 15
  'masked_after_first_digit', // 16
  'unmasked_number', // 16
  'long_cause',
  // rights of section B
  'twin_mortgages', // 5
  'debtor_change', // 9
  'amount_change',
  'mortgage_transfer',
  'pledge',
  'mortgage_on_lease',
  'collateral_list',
  'collateral_list_over_pages', // 27
  'collateral_partly_released',
  'inline_collateral',
  'collateral_addition',
  'hangul_amount', // 13
  'mixed_amount', // 13
  'foreign_amount', // 13
  'amount_with_blank', // 13
  'amount_with_jeong', // 13
  'several_maximum_claims', // 13
  'rent_none', // 14
  'monthly_rent',
  'duration_on_two_lines', // 14
  'deposit_change',
  'joint_lease_list',
  'lease_order', // 31
  'superficies',
  'easement',
  'address_wraps_in_bracket', // 18
  'empty_section_b',
  'missing_section_b',
  // cancellation
  'cancelled_entry',
  'cancel_list',
  'cancel_range',
  'cancel_mixed_rights',
  'cancel_parent_with_sub_entries',
  'ex_officio_cancellation',
  'partial_cancellation',
  'restored_entry', // 4
  'rank_used_again', // 4
  'target_not_found',
  'empty_rights', // 34
  'strike_on_rank_only', // 26
  'strike_on_rights_only', // 26
  'struck_without_canceller', // 26
  // how it is printed
  'entry_over_pages',
  'entry_over_three_pages',
  'purpose_over_pages',
  'title_over_pages',
  'watermark', // 23
  'watermark_in_pieces', // 23
  'monochrome', // 24
  'strike_as_rectangle', // 24
  'strike_before_text', // 24
  'duplicate_rules', // 25
  'rules_as_rectangles', // 25
  'vertical_rules',
  'scaled_page',
  'other_land_columns',
  'other_pitch',
  'indented_shares',
  'bar_code',
] as const

export type CaseName = (typeof CASES)[number]
