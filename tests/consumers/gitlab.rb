# SPDX-License-Identifier: GPL-3.0-or-later
# Reads JUnit the way GitLab does: through ActiveSupport's Hash.from_xml with Nokogiri, the outcome
# from the first of failure, error, skipped that a case has. usage: ruby gitlab.rb FILE
require 'active_support'
require 'active_support/core_ext/hash/conversions'
require 'active_support/core_ext/array/wrap'
require 'json'

ActiveSupport::XmlMini.backend = 'Nokogiri'
root = Hash.from_xml(File.read(ARGV[0], encoding: 'UTF-8'))
suites = Array.wrap((root['testsuites'] || root)['testsuite'])
cases = suites.flat_map { |suite| Array.wrap(suite['testcase']) }
puts(cases.map do |one|
  outcome = %w[failure error skipped].find { |key| one.key?(key) }
  { classname: one['classname'], name: one['name'], time: one['time'],
    outcome: outcome || 'passed', text: outcome && one[outcome], output: one['system_out'] }
end.to_json)
