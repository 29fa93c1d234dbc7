//! Into the core and back, equal; from one format into another, what both know.

use super::{Messages, write_messages};
use serde_json::Value;

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// Into the core and back, as it goes through a host that reads and writes the JSON anew.
fn check(format: &str, array: &str) {
    let core = Messages::read(array, Some(format)).unwrap().to_core();
    let through_host = value(&core).to_string();
    let back = write_messages(&through_host, format).unwrap();
    let (back, array) = (value(&back), value(array));
    for (index, item) in array.as_array().unwrap().iter().enumerate() {
        assert_eq!(&back[index], item, "messages[{index}], through {core}");
    }
    assert_eq!(back.as_array().unwrap().len(), array.as_array().unwrap().len(), "through {core}");
}

#[test]
fn openai_chat() {
    check(
        "openai-chat",
        r#"[
        {"role":"system","content":"Be brief."},
        {"role":"developer","content":[{"type":"text","text":"No lists."}]},
        {"role":"user","content":"Hello","name":"Ann"},
        {"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}},
            {"type":"image_url","image_url":{"url":"https://x.test/a.png"}},{"type":"input_audio","input_audio":{"data":"AA","format":"wav"}},
            {"type":"file","file":{"file_id":"f1","filename":"a.pdf"}}]},
        {"role":"assistant","content":null,"refusal":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}},
            {"id":"b","type":"function","function":{"name":"read","arguments":"{\"path\": 1.50}"}},
            {"id":"c","type":"function","function":{"name":"read","arguments":"not json"}},
            {"id":"e","type":"function","function":{"name":"read","arguments":""}},
            {"id":"d","type":"custom","custom":{"name":"run","input":"ls -l"}}]},
        {"role":"tool","tool_call_id":"a","content":"x"},
        {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"y"}]},
        {"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"y"},{"type":"text","text":"z","k":1}]},
        {"role":"tool","tool_call_id":"e","content":""},
        {"role":"tool","tool_call_id":"d","content":"d"},
        {"role":"assistant","content":"Done","reasoning_content":"hm","annotations":[{"a":[1.0]}]},
        {"role":"assistant","content":[{"type":"text","text":"One"}]},
        {"role":"assistant","content":[{"type":"refusal","refusal":"No."}],"audio":{"id":"au"}},
        {"role":"assistant","content":null,"function_call":{"name":"old","arguments":"{}"}},
        {"role":"function","name":"old","content":"r"},
        {"role":"assistant","content":""},
        {"role":"user","content":[]}
    ]"#,
    );
}

#[test]
fn openai_responses() {
    check(
        "openai-responses",
        r#"[
        {"role":"developer","content":"Be brief."},
        {"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"},{"type":"input_file","file_id":"f"}]},
        {"role":"user","content":"again"},
        {"type":"reasoning","id":"rs1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"xx"},
        {"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"A","annotations":[]},{"type":"output_text","text":"B","annotations":[]},{"type":"refusal","refusal":"no"}]},
        {"type":"function_call","id":"fc","call_id":"c1","name":"read","arguments":"{\"a\":1}","status":"completed"},
        {"type":"custom_tool_call","call_id":"c2","name":"run","input":"ls"},
        {"type":"local_shell_call","id":"ls1","call_id":"c3","action":{"type":"exec","command":["ls"],"env":{}},"status":"completed"},
        {"type":"foo_call","call_id":"c4","more":[1,2]},
        {"type":"function_call_output","call_id":"c1","output":"x"},
        {"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"https://x.test/i.png"}]},
        {"type":"local_shell_call_output","id":"c3","output":"{\"stdout\":\"\"}"},
        {"type":"foo_call_output","call_id":"c4","output":{"deep":[1]}},
        {"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search","query":"q"}},
        {"type":"mcp_approval_request","id":"ap","arguments":"{}","name":"n","server_label":"s"},
        {"type":"mcp_approval_response","approval_request_id":"ap","approve":true},
        {"type":"item_reference","id":"m9"},
        {"role":"assistant","content":"Done"}
    ]"#,
    );
}

#[test]
fn anthropic() {
    check(
        "anthropic",
        r#"[
        {"role":"user","content":"Hi"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s1"},{"type":"redacted_thinking","data":"zz"},
            {"type":"text","text":"A","citations":null},{"type":"tool_use","id":"a","name":"read","input":{"path":"x","n":1.50}},{"type":"tool_use","id":"b","name":"read","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"x","is_error":false},
            {"type":"tool_result","tool_use_id":"a","is_error":true,"cache_control":{"type":"ephemeral"},"content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},
            {"type":"text","text":"go on","cache_control":{"type":"ephemeral"}}]},
        {"role":"assistant","content":"Plain"},
        {"role":"user","content":[{"type":"text","text":"one"}]},
        {"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://x.test/a.png"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA"},"title":"t"}]},
        {"role":"assistant","content":[{"type":"server_tool_use","id":"st","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"st","content":[{"type":"web_search_result","url":"u"}]},{"type":"text","text":"So."}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"zz","content":[]}],"extra":1}
    ]"#,
    );
}

#[test]
fn gemini() {
    check(
        "gemini",
        r#"[
        {"role":"user","parts":[{"text":"Hi"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"inlineData":{"mimeType":"application/pdf","data":"AA"}},{"fileData":{"fileUri":"u","mimeType":"m"}}]},
        {"role":"model","parts":[{"text":"hm","thought":true},{"text":"A","thoughtSignature":"s"},{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"t"},{"functionCall":{"name":"g","args":{},"id":"i"}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"g","id":"i","response":{"output":"x"}}},{"functionResponse":{"name":"f","response":{"error":"y"}}}]},
        {"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OK","output":"1"}},{"text":""}]},
        {"parts":[{"text":"no role"}]}
    ]"#,
    );
}

#[test]
fn ai_sdk_model() {
    check(
        "ai-sdk-model",
        r#"[
        {"role":"system","content":"S","providerOptions":{"a":{}}},
        {"role":"user","content":"Hi"},
        {"role":"user","content":[{"type":"text","text":"see"},{"type":"image","image":"data:image/png;base64,AAAA","mediaType":"image/png"},{"type":"image","image":"https://x.test/a.png"},{"type":"file","data":"AAAA","mediaType":"image/png"},{"type":"file","data":"AA","filename":"a.pdf","mediaType":"application/pdf"}]},
        {"role":"assistant","content":[{"type":"reasoning","text":"hm","providerOptions":{"anthropic":{"signature":"s"}}},{"type":"text","text":"A"},
            {"type":"tool-call","toolCallId":"a","toolName":"read","input":{"p":1}},{"type":"tool-call","toolCallId":"b","toolName":"del","input":null},{"type":"tool-approval-request","approvalId":"p1","toolCallId":"b"}]},
        {"role":"tool","content":[{"type":"tool-approval-response","approvalId":"p1","approved":false,"reason":"no"}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"b","toolName":"del","output":{"type":"execution-denied","reason":"no"}},
            {"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"json","value":{"x":[1.5,"{"]}}}]},
        {"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"s","input":"plain","providerExecuted":true},{"type":"tool-result","toolCallId":"c","toolName":"s","output":{"type":"text","value":"t"}},
            {"type":"tool-call","toolCallId":"d","toolName":"s","input":{}}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"d","toolName":"s","output":{"type":"content","value":[{"type":"text","text":"t"},{"type":"image-data","data":"AAAA","mediaType":"image/png"}]}}]},
        {"role":"assistant","content":"string"}
    ]"#,
    );
}

#[test]
fn ai_sdk_ui() {
    check(
        "ai-sdk-ui",
        r#"[
        {"id":"1","role":"user","parts":[{"type":"text","text":"Hi"},{"type":"file","mediaType":"image/png","url":"data:image/png;base64,AAAA","filename":"a.png"},{"type":"file","mediaType":"application/pdf","url":"data:application/pdf;base64,AA"}],"metadata":{"t":1}},
        {"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm","state":"done","providerMetadata":{"x":{"signature":"s"}}},{"type":"text","text":"A","state":"done"},
            {"type":"tool-read","toolCallId":"a","state":"output-available","input":{"p":1},"output":{"r":[1.5]}},
            {"type":"tool-read","toolCallId":"b","state":"output-available","input":{"p":1},"output":"text","providerExecuted":true},
            {"type":"dynamic-tool","toolName":"dyn","toolCallId":"c","state":"output-error","input":{},"errorText":"bad"},
            {"type":"step-start"},
            {"type":"tool-del","toolCallId":"d","state":"output-denied","input":{},"approval":{"id":"p","approved":false}},
            {"type":"data-weather","id":"w","data":{"temp":1.5}},{"type":"source-url","sourceId":"s","url":"https://x.test"},
            {"type":"text","text":"Done"}]},
        {"id":"3","role":"assistant","parts":[{"type":"tool-del","toolCallId":"e","state":"approval-requested","input":{},"approval":{"id":"p2"}}]},
        {"id":"4","role":"assistant","parts":[]}
    ]"#,
    );
}

#[test]
fn pi() {
    let array = r#"[
        {"role":"compactionSummary","summary":"Before","tokensBefore":9},
        {"role":"user","content":"Hello","timestamp":1},
        {"role":"bashExecution","command":"ls","output":"","exitCode":0},
        {"role":"fileMention","files":[{"path":"a","content":"x"}]},
        {"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":{}}],"stopReason":"toolUse"},
        {"role":"toolResult","toolCallId":"a","toolName":"read","content":[],"isError":false}
    ]"#;
    check("pi", array);
    let messages = Messages::read(array, None).unwrap();
    assert_eq!((messages.format(), messages.problems()), ("pi", Vec::new()));
    assert_eq!(value(&messages.to_core()), value(array), "the core's messages are these");
}

#[test]
fn between_formats() {
    let pi = r#"[{"role":"user","content":"Hi"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"A"},{"type":"toolCall","id":"a","name":"read","arguments":{"p":1}},{"type":"toolCall","id":"b","name":"read","arguments":{}}],"stopReason":"toolUse"},
        {"role":"toolResult","toolCallId":"a","toolName":"read","content":[{"type":"text","text":"x"}],"isError":false},
        {"role":"toolResult","toolCallId":"b","toolName":"read","content":[{"type":"text","text":"y"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"isError":true},
        {"role":"assistant","content":[{"type":"text","text":"Done"}],"stopReason":"stop"}]"#;
    for table in super::TABLES {
        let written = write_messages(pi, table.name).unwrap();
        let messages = Messages::read(&written, Some(table.name)).unwrap();
        assert_eq!(messages.problems(), Vec::new(), "{written}");
        // What Gemini holds as an object is JSON in a text of the core.
        let back = messages.to_core().replace("\\\"", "\"");
        for said in ["Hi", "A", "read", "x", "y", "Done"] {
            assert!(back.contains(&format!("\"{said}\"")), "{said} is missing in {back}");
        }
    }
}

#[test]
fn what_a_format_cannot_show_is_told() {
    let denied = r#"[{"role":"user","content":"Hi"},
        {"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}},{"type":"tool-approval-request","approvalId":"p","toolCallId":"a"}]},
        {"role":"tool","content":[{"type":"tool-approval-response","approvalId":"p","approved":false}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"execution-denied","reason":"Not now."}}]}]"#;
    check("ai-sdk-model", denied);
    let core = Messages::read(denied, Some("ai-sdk-model")).unwrap().to_core();
    let expected = r#"[{"role":"user","content":"Hi"},
        {"role":"assistant","content":"[tool-approval-request]","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"Not now."}]"#;
    assert_eq!(value(&write_messages(&core, "openai-chat").unwrap()), value(expected));
    let image = r#"[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}]},
        {"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]},
        {"role":"assistant","content":[{"type":"text","text":"half"}],"stopReason":"error"}]"#;
    let expected = r#"[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"[image]"}]"#;
    assert_eq!(value(&write_messages(image, "openai-chat").unwrap()), value(expected));
}

#[test]
fn an_id_that_comes_again_names_the_newest_call() {
    let array = r#"[{"role":"user","content":"u"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"1","content":"x"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"g","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"1","content":"y"}]"#;
    let core = value(&Messages::read(array, Some("openai-chat")).unwrap().to_core());
    assert_eq!([&core[2]["toolName"], &core[4]["toolName"]], ["f", "g"]);
}

#[test]
fn a_call_without_an_id_gets_one_elsewhere() {
    let array = r#"[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}]}]"#;
    check("gemini", array);
    let core = Messages::read(array, Some("gemini")).unwrap().to_core();
    for table in super::TABLES {
        let written = write_messages(&core, table.name).unwrap();
        assert_eq!(Messages::read(&written, Some(table.name)).unwrap().problems(), Vec::new(), "{written}");
    }
}
