import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Keeps the open findings of all clusters in SQLite: {@code BROKERS=host:9092 DATABASE=findings.db mvn exec:java}. */
public final class FindingsConsumer implements ConsumerRebalanceListener {
  private static final Map<String, String> ENV = System.getenv();
  private static final String TOPIC = ENV.getOrDefault("TOPIC", "steward.findings.v1");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Connection database;
  private final KafkaConsumer<String, byte[]> consumer;

  private FindingsConsumer(Connection database, KafkaConsumer<String, byte[]> consumer) {
    this.database = database;
    this.consumer = consumer;
  }

  public static void main(String[] args) throws Exception {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", ENV.get("BROKERS"),
            "group.id", ENV.getOrDefault("GROUP", "my-tool"),
            "session.timeout.ms", ENV.getOrDefault("SESSION_TIMEOUT_MS", "45000"),
            "enable.auto.commit", false,
            "auto.offset.reset", "none");
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + ENV.get("DATABASE"));
        var consumer =
            new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
      try (var statement = database.createStatement()) {
        statement.execute("PRAGMA busy_timeout = 30000");
        statement.executeUpdate(Files.readString(Path.of(ENV.getOrDefault("SCHEMA", "../schema.sql"))));
      }
      new FindingsConsumer(database, consumer).follow();
    }
  }

  private void follow() throws SQLException {
    consumer.subscribe(List.of(TOPIC), this);
    while (true) {
      ConsumerRecords<String, byte[]> records = consumer.poll(Duration.ofSeconds(1));
      if (records.isEmpty()) continue;
      execute("BEGIN IMMEDIATE");
      for (ConsumerRecord<String, byte[]> record : records) take(record);
      execute("COMMIT");
    }
  }

  /** Applies one record and moves the position past it, in the caller's transaction. */
  private void take(ConsumerRecord<String, byte[]> record) throws SQLException {
    int partition = record.partition();
    Long next = nextIn("position", partition);
    if (next != null && record.offset() < next) return; // another member of the group had it before us
    if (record.value() == null) {
      execute("DELETE FROM finding WHERE id = ?", record.key());
    } else {
      try {
        JsonNode finding = JSON.readTree(record.value()).path("data");
        if (!finding.path("id").asText().equals(record.key())
            || !finding.path("revision").isIntegralNumber()
            || !finding.path("state").isTextual())
          throw new IOException("it is no finding under its own key");
        execute(
            "INSERT INTO finding VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
                + " SET revision = excluded.revision, state = excluded.state, document = excluded.document"
                + " WHERE excluded.revision > finding.revision",
            record.key(), partition, finding.get("revision").asLong(), finding.get("state").asText(), finding.toString());
      } catch (IOException why) {
        execute("INSERT OR IGNORE INTO poison VALUES (?, ?, ?)", partition, record.offset() + 1, why.toString());
      }
    }
    execute("INSERT OR REPLACE INTO position (topic_partition, next) VALUES (?, ?)", partition, record.offset() + 1);
  }

  /** Goes on where the database stopped; from the beginning where the log no longer has that place. */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> lows = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> highs = consumer.endOffsets(partitions);
    try {
      for (TopicPartition it : partitions) {
        Long next = nextIn("resumable", it.partition());
        if (next == null || next < lows.get(it) || next > highs.get(it)) {
          execute("BEGIN IMMEDIATE");
          execute("DELETE FROM finding WHERE topic_partition = ?", it.partition());
          execute("DELETE FROM position WHERE topic_partition = ?", it.partition());
          execute("COMMIT");
          next = lows.get(it);
        }
        consumer.seek(it, next);
      }
    } catch (SQLException error) {
      throw new IllegalStateException(error);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

  private Long nextIn(String table, int partition) throws SQLException {
    try (var statement = database.prepareStatement("SELECT next FROM " + table + " WHERE topic_partition = ?")) {
      statement.setInt(1, partition);
      try (var rows = statement.executeQuery()) {
        return rows.next() ? rows.getLong(1) : null;
      }
    }
  }

  private void execute(String sql, Object... values) throws SQLException {
    try (var statement = database.prepareStatement(sql)) {
      for (int index = 0; index < values.length; index++) statement.setObject(index + 1, values[index]);
      statement.execute();
    }
  }
}
