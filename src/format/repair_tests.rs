//! What is found wrong, and how it is healed.

use super::Messages;
use serde_json::{Value, json};

/// The problems of an array: rule, index, and whether it is pending.
fn problems(format: &str, array: &Value) -> Vec<String> {
    let json = array.to_string();
    let found = Messages::read(&json, Some(format)).unwrap().problems();
    found
        .iter()
        .map(|problem| {
            format!("{} {}{}", problem.index, problem.rule.words().0, if problem.pending { " pending" } else { "" })
        })
        .collect()
}

/// The array that an outline tells of.
fn applied(array: &Value, outline: &Value) -> Value {
    let part = |part: &Value, key: &str| match part.get("part") {
        Some(new) => new.clone(),
        None => {
            let mut old =
                array[part["of"].as_u64().unwrap() as usize][key][part["at"].as_u64().unwrap() as usize].clone();
            for (key, value) in part.get("set").and_then(Value::as_object).into_iter().flatten() {
                old[key] = value.clone();
            }
            old
        }
    };
    let item = |item: &Value| match item.as_u64() {
        Some(number) => array[number as usize].clone(),
        None if item.get("item").is_some() => item["item"].clone(),
        None => {
            let mut copy = array[item["from"].as_u64().unwrap() as usize].clone();
            for (key, list) in item["lists"].as_object().into_iter().flatten() {
                copy[key] = list.as_array().unwrap().iter().map(|entry| part(entry, key)).collect();
            }
            for (key, value) in item["set"].as_object().into_iter().flatten() {
                copy[key] = value.clone();
            }
            for key in item["unset"].as_array().into_iter().flatten() {
                copy.as_object_mut().unwrap().remove(key.as_str().unwrap());
            }
            copy
        }
    };
    outline.as_array().unwrap().iter().map(item).collect()
}

/// An array with these problems becomes that one.
fn check(format: &str, array: Value, expected_problems: &[&str], expected: Value) {
    assert_eq!(problems(format, &array), expected_problems, "{format} {array}");
    let json = array.to_string();
    let repaired = Messages::read(&json, Some(format)).unwrap().repair();
    let outline: Value = serde_json::from_str(&repaired.outline).unwrap();
    let healed = applied(&array, &outline);
    assert_eq!(healed, expected, "{outline} {:?}", repaired.repairs);
    assert_eq!((problems(format, &healed), repaired.problems), (vec![], vec![]), "{outline}");
    let again = healed.to_string();
    let again = Messages::read(&again, Some(format)).unwrap().repair();
    assert_eq!(again.repairs, [], "{healed}");
    let same: Vec<usize> = (0..healed.as_array().unwrap().len()).collect();
    assert_eq!(serde_json::from_str::<Vec<usize>>(&again.outline).unwrap(), same);
}

fn chat_call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}})
}

fn chat_calls(ids: &[&str]) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": ids.iter().map(|id| chat_call(id)).collect::<Vec<_>>()})
}

fn chat_result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": id})
}

fn chat_synthetic(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": super::repair::tests_text()})
}

fn says(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

#[test]
fn chat_results_come_right_behind_their_calls() {
    let user = says("user", "u");
    let (ab, a, b) = (chat_calls(&["a", "b"]), chat_result("a"), chat_result("b"));
    let good = json!([user, ab, b, a, says("assistant", "ok")]);
    check("openai-chat", good.clone(), &[], good);
    check("openai-chat", json!([user, ab, b, user, a]), &["4 misplaced-result"], json!([user, ab, b, a, user]));
    check("openai-chat", json!([user, ab, b, a, a]), &["4 repeated-result"], json!([user, ab, b, a]));
    check(
        "openai-chat",
        json!([user, ab, b]),
        &["1 call-without-result pending"],
        json!([user, ab, b, chat_synthetic("a")]),
    );
    check(
        "openai-chat",
        json!([user, ab, user]),
        &["1 call-without-result", "1 call-without-result"],
        json!([user, ab, chat_synthetic("a"), chat_synthetic("b"), user]),
    );
    check("openai-chat", json!([a, user]), &["0 result-without-call"], json!([user]));
    check("openai-chat", json!([a, user, ab, b]), &["0 misplaced-result"], json!([user, ab, b, a]));
    check("openai-chat", json!([user, {"role": "assistant", "content": null}]), &["1 empty-message"], json!([user]));
}

#[test]
fn anthropic_results_come_first_in_the_next_turn() {
    let user = says("user", "u");
    let calls = json!({"role": "assistant", "content": [
        {"type": "thinking", "thinking": "t", "signature": "s"},
        {"type": "tool_use", "id": "a", "name": "f", "input": {}}, {"type": "tool_use", "id": "b", "name": "f", "input": {}}]});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": id});
    let text = json!({"type": "text", "text": "more"});
    let turn = |parts: Value| json!({"role": "user", "content": parts});
    let good = json!([user, calls, turn(json!([result("b"), result("a"), text])), says("assistant", "ok")]);
    check("anthropic", good.clone(), &[], good);
    check(
        "anthropic",
        json!([user, calls, turn(json!([result("b"), text, result("a")]))]),
        &["2 misplaced-result"],
        json!([user, calls, turn(json!([result("b"), result("a"), text]))]),
    );
    let synthetic = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "is_error": true, "content": super::repair::tests_text()});
    check(
        "anthropic",
        json!([user, calls, turn(json!([result("a")])), says("assistant", "ok")]),
        &["1 call-without-result"],
        json!([user, calls, turn(json!([result("a"), synthetic("b")])), says("assistant", "ok")]),
    );
    check(
        "anthropic",
        json!([user, calls, user]),
        &["1 call-without-result", "1 call-without-result"],
        json!([user, calls, turn(json!([synthetic("a"), synthetic("b"), {"type": "text", "text": "u"}]))]),
    );
    check("anthropic", json!([user, says("assistant", " ")]), &["1 empty-message"], json!([user]));
    check(
        "anthropic",
        json!([says("assistant", "a"), user]),
        &["0 wrong-order"],
        json!([says("user", "[A part of this conversation is not shown.]"), says("assistant", "a"), user]),
    );
    let again = |id: &str| {
        json!([user, {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "f", "input": {}}]}, turn(json!([result("x")])),
        {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]}, turn(json!([{"type": "tool_result", "tool_use_id": id, "content": "x"}]))])
    };
    check("anthropic", again("x"), &["3 duplicate-id"], again("x_2"));
}

#[test]
fn t09_a_message_is_not_left_with_reasoning_only() {
    let user = says("user", "u");
    let thinking = json!({"type": "reasoning", "text": "hm"});
    let call = json!({"type": "tool-call", "toolCallId": "", "toolName": "f", "input": {}});
    check(
        "ai-sdk-model",
        json!([user, {"role": "assistant", "content": [thinking, call]}, user]),
        &["1 malformed"],
        json!([user, user]),
    );
}

#[test]
fn t10_responses_pair_by_call_id() {
    let user = says("user", "u");
    for (call, output) in [
        ("function_call", "function_call_output"),
        ("custom_tool_call", "custom_tool_call_output"),
        ("local_shell_call", "local_shell_call_output"),
        ("foo_call", "foo_call_output"),
    ] {
        let call = json!({"type": call, "call_id": "c1", "name": "f", "arguments": "{}", "input": ""});
        let output = json!({"type": output, "call_id": "c1", "output": "x"});
        let good = json!([user, call, output]);
        check("openai-responses", good.clone(), &[], good);
        check("openai-responses", json!([user, output, call]), &["1 misplaced-result"], json!([user, call, output]));
        check("openai-responses", json!([user, output]), &["1 result-without-call"], json!([user]));
    }
    let reasoning = json!({"type": "reasoning", "id": "r", "summary": []});
    check("openai-responses", json!([user, reasoning, user]), &["1 reasoning-without-partner"], json!([user, user]));
}

#[test]
fn t11_gemini_counts_calls_and_responses() {
    let user = json!({"role": "user", "parts": [{"text": "u"}]});
    let call = |name: &str| json!({"functionCall": {"name": name, "args": {}}});
    let response = |name: &str| json!({"functionResponse": {"name": name, "response": {"output": name}}});
    let model = json!({"role": "model", "parts": [call("f"), call("g")]});
    let turn = |parts: Value| json!({"role": "user", "parts": parts});
    let good = json!([user, model, turn(json!([response("g"), response("f")]))]);
    check("gemini", good.clone(), &[], good);
    let synthetic = json!({"functionResponse": {"name": "f", "response": {"error": super::repair::tests_text()}}});
    check(
        "gemini",
        json!([user, model, turn(json!([response("g")])), user]),
        &["1 call-without-result"],
        json!([user, model, turn(json!([response("g"), synthetic])), user]),
    );
}

#[test]
fn an_approval_that_was_given_waits_for_nobody() {
    let user = says("user", "u");
    let asks = json!({"role": "assistant", "content": [
        {"type": "tool-call", "toolCallId": "x", "toolName": "f", "input": {}},
        {"type": "tool-approval-request", "approvalId": "p", "toolCallId": "x"}]});
    let grants =
        json!({"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "p", "approved": true}]});
    let good = json!([user, asks, grants]);
    check("ai-sdk-model", good.clone(), &[], good);
    check("ai-sdk-model", json!([user, grants]), &["1 approval-without-request"], json!([user]));
    let synthetic = json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "x", "toolName": "f",
        "output": {"type": "error-text", "value": super::repair::tests_text()}}]});
    check(
        "ai-sdk-model",
        json!([user, asks, user, grants]),
        &["1 call-without-result", "3 misplaced-result"],
        json!([user, asks, synthetic, user]),
    );
    let part = |state: &str| json!({"type": "tool-f", "toolCallId": "x", "state": state, "input": {}, "approval": {"id": "p"}});
    let ui = |part: Value| json!([{"id": "1", "role": "user", "parts": [{"type": "text", "text": "u"}]}, {"id": "2", "role": "assistant", "parts": [part]}]);
    let mut responded = part("approval-responded");
    responded["approval"]["approved"] = true.into();
    check("ai-sdk-ui", ui(responded.clone()), &[], ui(responded));
    let mut healed = part("output-denied");
    healed["approval"] = json!({"id": "p", "approved": false, "reason": super::repair::tests_text()});
    check("ai-sdk-ui", ui(part("approval-requested")), &["1 call-without-result pending"], ui(healed));
}

#[test]
fn an_item_that_needs_its_id_goes_where_another_has_it() {
    let user = says("user", "u");
    let thinks = |id: &str| json!({"type": "reasoning", "id": id, "summary": []});
    let speaks = |id: &str| json!({"type": "message", "id": id, "role": "assistant", "content": "a"});
    let mut without = speaks("m");
    without.as_object_mut().unwrap().remove("id");
    check(
        "openai-responses",
        json!([user, thinks("r"), speaks("m"), thinks("r"), speaks("m")]),
        &["3 duplicate-id", "4 duplicate-id"],
        json!([user, thinks("r"), speaks("m"), without]),
    );
    let nameless = json!({"type": "reasoning", "summary": []});
    let search = json!({"type": "web_search_call"});
    check(
        "openai-responses",
        json!([user, nameless, search, speaks("m")]),
        &["1 malformed", "2 malformed"],
        json!([user, speaks("m")]),
    );
}

#[test]
fn a_call_of_responses_waits_for_its_own_result() {
    let user = says("user", "u");
    let call = |id: &str| json!({"type": "foo_call", "call_id": id});
    let output = |id: &str| json!({"type": "foo_call_output", "call_id": id, "output": {"any": 1}});
    let good = json!([user, call("a"), output("a"), call("a"), output("a")]);
    check("openai-responses", good.clone(), &[], good);
    check(
        "openai-responses",
        json!([user, call("a"), call("a"), output("a"), output("a")]),
        &["2 duplicate-id"],
        json!([user, call("a"), call("a_2"), output("a_2"), output("a")]),
    );
    check("openai-responses", json!([user, {"type": "message", "role": "user"}]), &["1 empty-message"], json!([user]));
    let asks = json!({"type": "mcp_approval_request", "id": "p", "server_label": "s", "name": "n", "arguments": "{}"});
    let grants = json!({"type": "mcp_approval_response", "approval_request_id": "p", "approve": true});
    check("openai-responses", json!([user, grants, asks]), &["1 approval-without-request"], json!([user, asks]));
}

#[test]
fn messages_of_an_interface_have_ids_and_users_who_speak() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let message = |role: &str, part: Value| json!([{"id": "1", "role": role, "parts": [part]}]);
    let array = json!([{"role": "user", "parts": [text("u")]}]).to_string();
    let repaired = Messages::read(&array, Some("ai-sdk-ui")).unwrap().repair();
    assert_eq!((repaired.repairs.len(), repaired.problems), (1, vec![]));
    assert!(repaired.outline.contains(r#""id":"threadfold-"#), "{}", repaired.outline);
    let step = json!({"type": "step-start"});
    check("ai-sdk-ui", message("user", step.clone()), &["0 empty-message"], json!([]));
    check("ai-sdk-ui", message("assistant", step.clone()), &[], message("assistant", step));
    let file = json!({"type": "file", "mediaType": "application/pdf", "url": "https://x.test/a.pdf"});
    check("ai-sdk-ui", message("user", file.clone()), &[], message("user", file));
}

#[test]
fn a_string_becomes_a_list_where_one_is_needed() {
    check(
        "pi",
        json!([says("assistant", "a")]),
        &["0 malformed"],
        json!([{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]),
    );
    check("ai-sdk-model", json!([says("user", "u"), says("tool", "t")]), &["1 wrong-role"], json!([says("user", "u")]));
    let summary = |role: &str| json!([says("user", "u"), {"role": role, "summary": "s"}]);
    check("pi", summary("branchSummary"), &[], summary("branchSummary"));
    check("pi", summary("user"), &["1 empty-message"], json!([says("user", "u")]));
}

#[test]
fn parts_that_lack_what_they_need_go() {
    let user = |part: Value| json!([{"role": "user", "content": [{"type": "text", "text": "u"}, part]}]);
    let only_text = json!([{"role": "user", "content": [{"type": "text", "text": "u"}]}]);
    for part in [json!({"type": "image"}), json!({"type": "document"}), json!({"type": "image", "source": {}})] {
        check("anthropic", user(part), &["0 malformed"], only_text.clone());
    }
    let served = json!({"type": "server_tool_use", "id": "s", "name": "n", "input": {}});
    check("anthropic", user(served), &["0 wrong-role"], only_text);
    let turn = |output: Value| {
        json!([says("user", "u"),
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "f", "input": {}}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "f", "output": output}]}])
    };
    let given = json!({"type": "error-text", "value": super::repair::tests_text()});
    for output in [json!({"type": "text"}), json!({"type": "content"})] {
        check("ai-sdk-model", turn(output), &["2 malformed"], turn(given.clone()));
    }
}

#[test]
fn neighbours_of_the_models_are_one_turn_of_anthropic() {
    let user = says("user", "u");
    let calls =
        |id: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": id});
    let synthetic =
        json!({"type": "tool_result", "tool_use_id": "a", "is_error": true, "content": super::repair::tests_text()});
    check(
        "anthropic",
        json!([user, calls("a"), calls("b"), {"role": "user", "content": [result("b")]}]),
        &["1 call-without-result"],
        json!([user, calls("a"), calls("b"), {"role": "user", "content": [result("b"), synthetic]}]),
    );
}

#[test]
fn gemini_pairs_by_the_tool_too() {
    let user = json!({"role": "user", "parts": [{"text": "u"}]});
    let call = |name: &str, id: Value| json!({"role": "model", "parts": [{"functionCall": {"name": name, "id": id}}]});
    let answer = |name: &str, response: Value| {
        let mut given = json!({"name": name, "response": response});
        given["id"] = "1".into();
        json!({"role": "user", "parts": [{"functionResponse": given}]})
    };
    let good = json!([user, call("f", "1".into()), answer("f", json!({"output": "x"}))]);
    check("gemini", good.clone(), &[], good);
    check(
        "gemini",
        json!([user, call("f", "1".into()), answer("g", json!({"output": "x"}))]),
        &["1 call-without-result pending", "2 result-without-call"],
        json!([user, call("f", "1".into()), answer("f", json!({"error": super::repair::tests_text()}))]),
    );
    // A response without an id answers the call of its name, whether that has one or not.
    let mut without = answer("f", json!({"output": "x"}));
    without["parts"][0]["functionResponse"].as_object_mut().unwrap().remove("id");
    let good = json!([user, call("f", "1".into()), without]);
    check("gemini", good.clone(), &[], good.clone());
    let json = good.to_string();
    let core = Messages::read(&json, Some("gemini")).unwrap().to_core();
    assert_eq!(serde_json::from_str::<Value>(&super::write_messages(&core, "gemini").unwrap()).unwrap(), good);
}

#[test]
fn calls_whose_results_are_no_texts_go_where_nothing_answers_them() {
    let ask = json!({"role": "user", "content": "Look."});
    for call in [
        json!({"type": "computer_call", "id": "i", "call_id": "c", "action": {"type": "screenshot"}}),
        json!({"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}}),
        json!({"type": "tool_search_call", "call_id": "c", "execution": "client", "arguments": {}}),
    ] {
        check("openai-responses", json!([ask, call]), &["1 call-without-result pending"], json!([ask]));
    }
}

#[test]
fn a_search_for_tools_is_answered_by_its_own_output() {
    let call = |id: Value| json!({"type": "tool_search_call", "call_id": id, "arguments": {"query": "maps"}});
    let output = |id: Value| json!({"type": "tool_search_output", "call_id": id, "tools": []});
    for id in [json!("c"), Value::Null] {
        assert_eq!(problems("openai-responses", &json!([call(id.clone()), output(id)])), Vec::<String>::new());
    }
    let lonely = json!([{"role": "user", "content": "Go."}, output(json!("c"))]);
    check("openai-responses", lonely, &["1 result-without-call"], json!([{"role": "user", "content": "Go."}]));
}

#[test]
fn one_part_in_place_of_a_list_becomes_a_list() {
    let part = json!({"type": "input_text", "text": "a.txt", "detail": null});
    let call = json!({"type": "function_call", "call_id": "c", "name": "ls", "arguments": "{}"});
    let output = |output: Value| json!({"type": "function_call_output", "id": "o", "call_id": "c", "output": output});
    let array = json!([call, output(part.clone())]);
    check("openai-responses", array, &["1 malformed"], json!([call, output(json!([part]))]));
}

#[test]
fn ids_of_outputs_stand_once_too() {
    let call = |id: &str| json!({"type": "function_call", "call_id": id, "name": "ls", "arguments": "{}"});
    let output = |id: &str| json!({"type": "function_call_output", "id": "o", "call_id": id, "output": "a"});
    let mut plain = output("d");
    plain.as_object_mut().unwrap().remove("id");
    let array = json!([call("c"), output("c"), call("d"), output("d")]);
    check("openai-responses", array, &["3 duplicate-id"], json!([call("c"), output("c"), call("d"), plain]));
}

#[test]
fn a_response_that_is_moved_says_the_same() {
    let call = json!({"role": "model", "parts": [{"functionCall": {"id": "c", "name": "f"}}]});
    let response = json!({"functionResponse": {"id": "c", "name": "f", "response": {"error": "none"}}});
    let ask = |part: Value| json!({"role": "user", "parts": [part]});
    check(
        "gemini",
        json!([{"role": "user", "parts": [{"text": "Go."}, response]}, call]),
        &["0 misplaced-result"],
        json!([ask(json!({"text": "Go."})), call, ask(response)]),
    );
}
